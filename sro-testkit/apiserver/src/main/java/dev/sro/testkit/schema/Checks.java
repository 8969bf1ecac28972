package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.google.re2j.Pattern;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What many fields of built-in types are checked for, with the texts of a kube-apiserver; what is found is collected. Not thread-safe. */
final class Checks {
    static final int MAX_PORT = 65_535;
    static final String PORT_RANGE = "must be between 1 and 65535, inclusive";
    static final String NOT_NEGATIVE = "must be greater than or equal to 0";

    private static final Pattern PERCENT = Pattern.compile("[0-9]+%");
    private static final String PERCENT_TEXT =
            "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex"
                    + " used for validation is '[0-9]+%')";
    private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);
    private static final int MAX_PORT_NAME = 15;
    private static final int MAX_ID = Integer.MAX_VALUE;
    private static final int MAX_MODE = 0777;
    private static final int MAX_KEY = 253;
    private static final Pattern PORT_CHARACTERS = Pattern.compile("[-a-z0-9]+");
    private static final Pattern LETTER = Pattern.compile("[a-z]");
    private static final Pattern CONFIG_KEY = Pattern.compile("[-._a-zA-Z0-9]+");
    private static final String CONFIG_KEY_TEXT =
            "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',"
                    + "  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

    private final List<FieldError> errors;

    Checks(List<FieldError> errors) {
        this.errors = errors;
    }

    List<FieldError> errors() {
        return errors;
    }

    void add(FieldError error) {
        errors.add(error);
    }

    void invalid(String at, String value, String detail) {
        errors.add(FieldError.invalid(at, TextNode.valueOf(value), detail));
    }

    void invalid(String at, @Nullable JsonNode value, String detail) {
        errors.add(FieldError.invalid(at, value, detail));
    }

    void required(String at, String detail) {
        errors.add(FieldError.required(at, detail));
    }

    void forbidden(String at, String detail) {
        errors.add(FieldError.forbidden(at, detail));
    }

    private static String child(String path, String field) {
        return path.isEmpty() ? field : path + "." + field;
    }

    /** That there is a text; whether there is. */
    boolean present(JsonNode parent, String field, String path) {
        return present(parent, field, path, "");
    }

    /** That there is a text, with what is said otherwise; whether there is. */
    boolean present(JsonNode parent, String field, String path, String detail) {
        boolean there = !JsonTree.text(parent, field).isEmpty();
        if (!there) {
            required(child(path, field), detail);
        }
        return there;
    }

    /** One of these values, or nothing; an empty text is there only where the server tells it from none. */
    void oneOf(JsonNode parent, String field, String path, String... values) {
        JsonNode value = parent.path(field);
        if (value.isTextual() && !List.of(values).contains(value.textValue())) {
            notSupported(child(path, field), value.textValue(), values);
        }
    }

    void notSupported(String at, String value, String... values) {
        List<String> quoted = new ArrayList<>();
        for (String one : values) {
            quoted.add("\"" + one + "\"");
        }
        errors.add(FieldError.notSupported(at, TextNode.valueOf(value), quoted));
    }

    void notNegative(JsonNode parent, String field, String path) {
        if (parent.path(field).asLong() < 0) {
            invalid(path + "." + field, parent.get(field), NOT_NEGATIVE);
        }
    }

    /** A number of at least one, where there is a number. */
    void positive(JsonNode parent, String field, String path) {
        if (parent.path(field).isNumber() && parent.path(field).asLong() <= 0) {
            invalid(path + "." + field, parent.get(field), "must be greater than 0");
        }
    }

    /** The number of a user or a group, where there is one. */
    void id(JsonNode value, String path) {
        if (value.isNumber() && (value.asLong() < 0 || value.asLong() > MAX_ID)) {
            invalid(path, value, "must be between 0 and 2147483647, inclusive");
        }
    }

    void fileMode(JsonNode value, String path) {
        if (value.isNumber() && (value.asInt() < 0 || value.asInt() > MAX_MODE)) {
            invalid(path, value, "must be a number between 0 and 0777 (octal), both inclusive");
        }
    }

    void port(@Nullable JsonNode value, String path) {
        JsonNode given = value == null || value.isNull() ? IntNode.valueOf(0) : value;
        if (given.asInt() < 1 || given.asInt() > MAX_PORT) {
            invalid(path, given, PORT_RANGE);
        }
    }

    /** The number of a port, or the name of one. */
    void portOrName(@Nullable JsonNode value, String path) {
        if (value != null && value.isTextual()) {
            portName(value.asText()).forEach(fault -> invalid(path, value, fault));
        } else {
            port(value, path);
        }
    }

    /** What is wrong with the name of a port, as IANA has it. */
    static List<String> portName(String name) {
        List<String> faults = new ArrayList<>();
        if (name.length() > MAX_PORT_NAME) {
            faults.add("must be no more than 15 characters");
        }
        if (!PORT_CHARACTERS.matches(name)) {
            faults.add("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
        }
        if (!LETTER.matcher(name).find()) {
            faults.add("must contain at least one letter (a-z)");
        }
        if (name.contains("--")) {
            faults.add("must not contain consecutive hyphens");
        }
        if (name.startsWith("-") || name.endsWith("-")) {
            faults.add("must not begin or end with a hyphen");
        }
        return faults;
    }

    /** What is wrong with a key of a ConfigMap or a Secret. */
    static List<String> configKey(String key) {
        List<String> faults = new ArrayList<>();
        if (key.length() > MAX_KEY) {
            faults.add("must be no more than 253 characters");
        }
        if (!CONFIG_KEY.matches(key)) {
            faults.add(CONFIG_KEY_TEXT);
        }
        if (key.equals(".")) {
            faults.add("must not be '.'");
        } else if (key.equals("..")) {
            faults.add("must not be '..'");
        } else if (key.startsWith("..")) {
            faults.add("must not start with '..'");
        }
        return faults;
    }

    /** A number or a share in percent; the same errors as for any other field where it is neither. */
    void intOrPercent(JsonNode value, String path) {
        if (value.isTextual() && !PERCENT.matches(value.asText())) {
            invalid(path, value, PERCENT_TEXT);
        } else if (value.isNumber() && value.asLong() < 0) {
            invalid(path, value, NOT_NEGATIVE);
        }
    }

    /** A share of not more than the whole. */
    void notMoreThanAll(JsonNode share, String path) {
        String text = share.asText();
        if (share.isTextual()
                && PERCENT.matches(text)
                && new BigDecimal(text.substring(0, text.length() - 1)).compareTo(HUNDRED) > 0) {
            invalid(path, share, "must not be greater than 100%");
        }
    }

    /** A path without a step up. */
    void noStepUp(String value, String path) {
        if (List.of(value.split("/", -1)).contains("..")) {
            invalid(path, value, "must not contain '..'");
        }
    }

    /** A path below some folder. */
    void localPath(String value, String path) {
        if (value.startsWith("/")) {
            invalid(path, value, "must be a relative path");
        }
        noStepUp(value, path);
    }

    void subdomain(String value, String path) {
        DeviceNames.subdomain(value, path, errors);
    }

    /** An address that endpoints may have: not one of the machine itself. */
    void publicAddress(String address, String path) {
        if (address.startsWith("127.") || address.equals("::1")) {
            invalid(path, address, "may not be in the loopback range (127.0.0.0/8, ::1/128)");
        } else if (address.equals("0.0.0.0") || address.equals("::")) {
            invalid(path, address, "may not be unspecified (" + address + ")");
        } else if (address.startsWith("169.254.") || address.startsWith("fe80:")) {
            invalid(path, address, "may not be in the link-local range (169.254.0.0/16, fe80::/10)");
        } else if (address.startsWith("224.0.0.") || address.startsWith("ff02:")) {
            invalid(path, address, "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)");
        }
    }

    /** -1, 0 or 1, as the quantity is; 0 for what is none. */
    static int sign(JsonNode quantity) {
        return Quantities.value(quantity.asText()).map(BigDecimal::signum).orElse(0);
    }

    /** What is wrong with a text as an address. */
    static List<String> addressFaults(String address) {
        boolean four = address.matches("[0-9]{1,3}(\\.[0-9]{1,3}){3}");
        boolean padded = four && address.matches("(.*\\.)?0[0-9].*");
        String plain = padded ? address.replaceAll("(^|\\.)0+(?=[0-9])", "$1") : address;
        if (!Formats.matches("ipv4", plain) && !(plain.contains(":") && Formats.matches("ipv6", plain))) {
            return List.of("must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)");
        }
        if (padded) {
            return List.of("must not have leading 0s");
        }
        boolean mapped = plain.toLowerCase(Locale.ROOT).matches("(::|(0{1,4}:){5})ffff:[0-9.]+");
        return mapped ? List.of("must not be an IPv4-mapped IPv6 address") : List.of();
    }

    /** An address that something else than the machine itself has. */
    void address(String address, String path) {
        List<String> faults = addressFaults(address);
        faults.forEach(fault -> invalid(path, address, fault));
        if (faults.isEmpty()) {
            publicAddress(address, path);
        }
    }

    void cidr(JsonNode cidr, String path) {
        if (!Formats.matches("cidr", cidr.asText())) {
            invalid(path, cidr, "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)");
        } else if (!Networks.isMasked(cidr.asText())) {
            invalid(path, cidr, "must not have bits set beyond the prefix length");
        }
    }

    /** The name of a namespace and the like. */
    void label(String value, String path) {
        DeviceNames.label(value, path, errors);
    }

    /** A name that begins with a letter. */
    void dns1035(String value, String path) {
        if (value.length() > DeviceNames.MAX_LABEL) {
            invalid(path, value, "must be no more than 63 characters");
        }
        if (!Names.isDns1035(value)) {
            invalid(path, value, Names.DNS1035_LABEL);
        }
    }

    /** Whatever can stand in a path. */
    void pathSegment(String value, String path) {
        if (value.equals(".") || value.equals("..")) {
            invalid(path, value, "may not be '" + value + "'");
        }
        for (String illegal : List.of("/", "%")) {
            if (value.contains(illegal)) {
                invalid(path, value, "may not contain '" + illegal + "'");
            }
        }
    }

    /** A text of at least one character that can stand in a path. */
    void presentSegment(JsonNode parent, String field, String path) {
        if (present(parent, field, path)) {
            pathSegment(JsonTree.text(parent, field), child(path, field));
        }
    }

    void labelKey(String value, String path) {
        DeviceNames.labelKey(value, path, errors);
    }

    /** Labels, or what is compared with labels: errors name the field, not the key. */
    void labels(JsonNode labels, String path) {
        labels.properties().forEach(label -> {
            DeviceNames.labelKey(label.getKey(), path, errors);
            DeviceNames.labelValue(label.getValue().asText(), path, errors);
        });
    }

    /** Those of a template; the server's path leaves the metadata out. */
    void labelsAndAnnotations(JsonNode metadata, String path) {
        labels(metadata.path("labels"), path + ".labels");
        metadata.path("annotations")
                .fieldNames()
                .forEachRemaining(
                        key -> DeviceNames.labelKey(key.toLowerCase(Locale.ROOT), key, path + ".annotations", errors));
    }

    void selector(@Nullable JsonNode selector, String path) {
        if (selector != null && selector.isObject()) {
            errors.addAll(SelectorValidation.validate(path, selector));
        }
    }
}
