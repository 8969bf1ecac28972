package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.re2j.Pattern;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The string formats that schemas may ask for; formats that are not known accept everything. */
public final class Formats {
    private static final String HEX = "[0-9a-fA-F]";

    private static final Map<String, Pattern> PATTERNS = Map.ofEntries(
            Map.entry(
                    "uuid",
                    Pattern.compile(
                            "^(?i)" + HEX + "{8}-?" + HEX + "{4}-?" + HEX + "{4}-?" + HEX + "{4}-?" + HEX + "{12}$")),
            Map.entry("email", Pattern.compile("^[^@\\s]+@[^@\\s]+$")),
            Map.entry("mac", Pattern.compile("^(" + HEX + "{2}[:-]){5}" + HEX + "{2}$")),
            Map.entry(
                    "duration",
                    Pattern.compile(
                            "^[+-]?([0-9]+(\\.[0-9]+)?\\s*(ns|us|µs|ms|s|m|h|d|w|nanos?|micros?|millis?|secs?|seconds?|mins?|minutes?|hours?|hrs?|days?|weeks?)\\s*)+$")),
            Map.entry(
                    "ipv4",
                    Pattern.compile(
                            "^((25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])\\.){3}(25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])$")),
            Map.entry("uuid3", uuid("3", HEX)),
            Map.entry("uuid4", uuid("4", "[89abAB]")),
            Map.entry("uuid5", uuid("5", "[89abAB]")),
            Map.entry("bsonobjectid", Pattern.compile("^" + HEX + "{24}$")),
            Map.entry("hexcolor", Pattern.compile("^#?(" + HEX + "{3}|" + HEX + "{6})$")),
            Map.entry("ssn", Pattern.compile("^\\d{3}[- ]?\\d{2}[- ]?\\d{4}$")),
            Map.entry(
                    "rgbcolor",
                    Pattern.compile(
                            "^rgb\\(\\s*(0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])\\s*,\\s*(0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])\\s*,\\s*(0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])\\s*\\)$")),
            Map.entry("k8s-short-name", Pattern.compile("^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$")),
            Map.entry(
                    "k8s-long-name",
                    Pattern.compile("^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$")));

    /** Of texts, without the dashes in them. From {@code supportedVersionedFormats} of Kubernetes 1.36. */
    private static final Set<String> OF_TEXTS = Set.of(
            "bsonobjectid",
            "uri",
            "email",
            "hostname",
            "ipv4",
            "ipv6",
            "cidr",
            "mac",
            "uuid",
            "uuid3",
            "uuid4",
            "uuid5",
            "isbn",
            "isbn10",
            "isbn13",
            "creditcard",
            "ssn",
            "hexcolor",
            "rgbcolor",
            "byte",
            "password",
            "date",
            "duration",
            "datetime",
            "k8sshortname",
            "k8slongname");

    private Formats() {}

    /** Whether the server looks at a format of values of a type. */
    static boolean isKnown(String type, String format) {
        return switch (type) {
            case "", "string" -> OF_TEXTS.contains(format.replace("-", ""));
            case "integer" -> format.equals("int32") || format.equals("int64");
            case "number" -> format.equals("float") || format.equals("double");
            default -> false;
        };
    }

    /**
     * Adds the formats of a schema, and of those within it, that nobody knows for values of its type.
     *
     * @param schema as in a definition
     */
    public static void unknown(JsonNode schema, Set<String> found) {
        String format = schema.path("format").asText("");
        String type = schema.path("type").asText("");
        if (!format.isEmpty() && !isKnown(type, format)) {
            found.add(format);
        }
        for (String word : List.of("items", "allOf", "anyOf", "oneOf", "not", "properties", "additionalProperties")) {
            JsonNode below = schema.path(word);
            if (word.equals("properties") || below.isArray()) {
                below.forEach(one -> unknown(one, found));
            } else if (below.isObject()) {
                unknown(below, found);
            }
        }
    }

    private static final int IPV4_BITS = 32;
    private static final int IPV6_BITS = 128;

    private static Pattern uuid(String version, String variant) {
        return Pattern.compile("^" + HEX + "{8}-?" + HEX + "{4}-?" + version + HEX + "{3}-?" + variant + HEX + "{3}-?"
                + HEX + "{12}$");
    }

    /** A number of a book or of a card: digits with a check sum. */
    private static boolean isbn(String text, boolean ten, boolean thirteen) {
        String digits = text.replaceAll("[\\s-]+", "");
        if (ten && digits.matches("\\d{9}[\\dX]")) {
            int sum = 0;
            for (int i = 0; i < 10; i++) {
                sum += (i + 1) * (digits.charAt(i) == 'X' ? 10 : digits.charAt(i) - '0');
            }
            return sum % 11 == 0;
        }
        if (thirteen && digits.matches("\\d{13}")) {
            int sum = 0;
            for (int i = 0; i < 13; i++) {
                sum += (i % 2 == 0 ? 1 : 3) * (digits.charAt(i) - '0');
            }
            return sum % 10 == 0;
        }
        return false;
    }

    private static boolean card(String text) {
        String digits = text.replaceAll("[^0-9]+", "");
        int sum = 0;
        for (int i = 0; i < digits.length(); i++) {
            int digit = digits.charAt(digits.length() - 1 - i) - '0';
            int doubled = i % 2 == 0 ? digit : digit * 2;
            sum += doubled > 9 ? doubled - 9 : doubled;
        }
        return digits.length() >= 12 && digits.length() <= 19 && sum % 10 == 0;
    }

    static boolean matches(String format, String text) {
        return switch (format) {
            case "date-time", "datetime" -> dateTime(text);
            case "date" -> date(text);
            case "byte" -> base64(text);
            case "uri" -> uri(text);
            case "ipv6" -> text.contains(":") && ipv6(text);
            case "cidr" -> cidr(text);
            case "hostname" -> hostname(text);
            case "isbn" -> isbn(text, true, true);
            case "isbn10" -> isbn(text, true, false);
            case "isbn13" -> isbn(text, false, true);
            case "creditcard" -> card(text);
            default -> {
                Pattern pattern = PATTERNS.get(format);
                yield pattern == null || pattern.matcher(text).find();
            }
        };
    }

    /** A label by itself, or several of which the last is of letters alone; symbols are taken for letters. */
    private static final Pattern HOST = Pattern.compile("^[a-zA-Z0-9\\p{S}\\p{L}](-?[a-zA-Z0-9\\p{S}\\p{L}]{0,62})?$");

    private static final Pattern HOST_IN_DOMAIN = Pattern.compile(
            "^([a-zA-Z0-9\\p{S}\\p{L}]([-a-zA-Z0-9\\p{S}\\p{L}]{0,61}[a-zA-Z0-9\\p{S}\\p{L}])?\\.)+[a-zA-Z\\p{L}]{2,63}$");

    private static final int LONGEST_HOST = 255;

    private static boolean hostname(String text) {
        return text.length() <= LONGEST_HOST
                && (HOST.matcher(text).matches() || HOST_IN_DOMAIN.matcher(text).matches());
    }

    private static boolean dateTime(String text) {
        try {
            OffsetDateTime.parse(text);
            return true;
        } catch (DateTimeParseException e) {
            return false;
        }
    }

    private static boolean date(String text) {
        try {
            LocalDate.parse(text);
            return true;
        } catch (DateTimeParseException e) {
            return false;
        }
    }

    /** As {@code IsBase64} of the server's validators has it: not even nothing is without padding. */
    private static final Pattern BASE64 =
            Pattern.compile("^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$");

    private static boolean base64(String text) {
        return BASE64.matcher(text).matches();
    }

    private static boolean uri(String text) {
        try {
            return new URI(text).isAbsolute() || text.startsWith("/");
        } catch (URISyntaxException e) {
            return false;
        }
    }

    private static boolean cidr(String text) {
        int slash = text.indexOf('/');
        if (slash < 0) {
            return false;
        }
        String address = text.substring(0, slash);
        String bits = text.substring(slash + 1);
        return bits.matches("[0-9]{1,3}")
                && (matches("ipv4", address)
                        ? Integer.parseInt(bits) <= IPV4_BITS
                        : matches("ipv6", address) && Integer.parseInt(bits) <= IPV6_BITS);
    }

    private static boolean ipv6(String text) {
        int gap = text.indexOf("::");
        if (gap != text.lastIndexOf("::")) {
            return false;
        }
        String[] groups = text.replace("::", ":").split(":", -1);
        int count = 0;
        for (String group : groups) {
            if (!group.isEmpty()) {
                if (!group.matches(HEX + "{1,4}") && !matches("ipv4", group)) {
                    return false;
                }
                count += group.contains(".") ? 2 : 1;
            }
        }
        return gap >= 0 ? count < 8 : count == 8;
    }
}
