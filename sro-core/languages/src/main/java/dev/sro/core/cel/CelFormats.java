package dev.sro.core.cel;

import com.google.re2j.Pattern;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The {@code format} library of Kubernetes: {@code format.uuid().validate(text)} is an optional list of faults, nothing where the text
 * fits. Source of the forms: Kubernetes' name validation.
 */
final class CelFormats {

    /** Names of its functions; {@code named} takes one of the others as text. */
    static final Set<String> NAMES = Set.of(
            "dns1123Label",
            "dns1123Subdomain",
            "dns1035Label",
            "dns1123LabelPrefix",
            "dns1123SubdomainPrefix",
            "dns1035LabelPrefix",
            "qualifiedName",
            "labelValue",
            "uuid",
            "uri",
            "byte",
            "date",
            "datetime");

    private static final String LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
    private static final String OLD_LABEL = "[a-z]([-a-z0-9]*[a-z0-9])?";
    private static final String SUBDOMAIN = LABEL + "(\\." + LABEL + ")*";
    private static final String WORD = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
    private static final String HEX = "[0-9a-fA-F]";
    private static final Map<String, Form> FORMS = forms();

    private static final Map<String, String> RULES = Map.of(
            "dns1123Label",
            "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with"
                    + " an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '"
                    + LABEL
                    + "')",
            "dns1123Subdomain",
            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and"
                    + " end with an alphanumeric character (e.g. 'example.com', regex used for validation is '"
                    + SUBDOMAIN
                    + "')",
            "dns1035Label",
            "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character,"
                    + " and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '"
                    + OLD_LABEL + "')",
            "labelValue",
            "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and"
                    + " end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for"
                    + " validation is '(" + WORD + ")?')");

    private record Form(Pattern pattern, int longest) {}

    /** A format, as a value. */
    record Format(String name) {}

    private CelFormats() {}

    private static Map<String, Form> forms() {
        Map<String, Form> forms = new HashMap<>();
        forms.put("dns1123Label", new Form(Pattern.compile(LABEL), 63));
        forms.put("dns1123Subdomain", new Form(Pattern.compile(SUBDOMAIN), 253));
        forms.put("dns1035Label", new Form(Pattern.compile(OLD_LABEL), 63));
        forms.put("dns1123LabelPrefix", new Form(Pattern.compile(LABEL + "-?"), 63));
        forms.put("dns1123SubdomainPrefix", new Form(Pattern.compile(SUBDOMAIN + "[-.]?"), 253));
        forms.put("dns1035LabelPrefix", new Form(Pattern.compile(OLD_LABEL + "-?"), 63));
        forms.put("qualifiedName", new Form(Pattern.compile("(" + SUBDOMAIN + "/)?" + WORD), 253 + 1 + 63));
        forms.put("labelValue", new Form(Pattern.compile("(" + WORD + ")?"), 63));
        forms.put(
                "uuid",
                new Form(
                        Pattern.compile(HEX + "{8}-?" + HEX + "{4}-?" + HEX + "{4}-?" + HEX + "{4}-?" + HEX + "{12}"),
                        36));
        return Map.copyOf(forms);
    }

    /** A function of the library. */
    static Object call(String name, List<@Nullable Object> args) {
        if (name.equals("named") && args.size() == 1 && args.get(0) instanceof String wanted) {
            return NAMES.contains(wanted) ? Optional.of(new Format(wanted)) : Optional.empty();
        }
        if (args.isEmpty() && NAMES.contains(name)) {
            return new Format(name);
        }
        throw CelException.noOverload();
    }

    /** {@code validate}, the only method. */
    static Object validate(Format format, List<@Nullable Object> args) {
        if (args.size() != 2 || !(args.get(1) instanceof String text)) {
            throw CelException.noOverload();
        }
        return fits(format.name(), text) ? Optional.empty() : Optional.of(faults(format.name(), text));
    }

    /** In the words of Kubernetes. */
    private static List<String> faults(String name, String text) {
        Form form = FORMS.get(name);
        if (name.equals("uuid")) {
            return List.of("does not match the UUID format");
        }
        if (form != null) {
            List<String> faults = new ArrayList<>();
            if (text.length() > form.longest()) {
                faults.add("must be no more than " + form.longest() + " characters");
            }
            String plain = name.replace("Prefix", "");
            if (!form.pattern().matches(text) && RULES.containsKey(plain)) {
                faults.add(RULES.get(plain));
            }
            return faults.isEmpty() ? List.of("\"" + text + "\" is no " + name) : List.copyOf(faults);
        }
        return List.of(
                switch (name) {
                    case "uri" -> "parse \"" + text + "\": invalid URI for request";
                    case "byte" -> "invalid base64";
                    default -> "invalid " + name;
                });
    }

    private static boolean fits(String name, String text) {
        Form form = FORMS.get(name);
        if (form != null) {
            return text.length() <= form.longest() && form.pattern().matches(text);
        }
        try {
            switch (name) {
                case "uri" -> {
                    return new URI(text).isAbsolute() || text.startsWith("/");
                }
                case "byte" -> Base64.getDecoder().decode(text);
                case "date" -> LocalDate.parse(text);
                default -> OffsetDateTime.parse(text);
            }
            return true;
        } catch (URISyntaxException | DateTimeParseException | IllegalArgumentException e) {
            return false;
        }
    }
}
