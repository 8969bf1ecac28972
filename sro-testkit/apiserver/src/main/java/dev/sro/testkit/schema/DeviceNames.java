package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.node.TextNode;
import com.google.re2j.Pattern;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/** The rules for the names that devices, drivers, pools, attributes and taints have, in the words of a kube-apiserver. Stateless. */
final class DeviceNames {
    static final int MAX_LABEL = 63;

    private static final int MAX_SUBDOMAIN = 253;
    private static final int MAX_ID = 32;
    private static final int UUID = 36;
    private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");
    private static final Pattern SUBDOMAIN =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
    private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final Pattern KEY = Pattern.compile("([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]");
    private static final Pattern UUID_FORM =
            Pattern.compile("[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}");
    private static final String IDENTIFIER_TEXT =
            "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric"
                    + " characters or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for validation is"
                    + " '[A-Za-z_][A-Za-z0-9_]*')";
    private static final String KEY_TEXT =
            "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric"
                    + " character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is"
                    + " '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
    private static final String VALUE_TEXT =
            "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must"
                    + " start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex"
                    + " used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

    private DeviceNames() {}

    private static void invalid(String path, String value, String detail, List<FieldError> errors) {
        errors.add(FieldError.invalid(path, TextNode.valueOf(value), detail));
    }

    static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /** Names of devices, requests, counters and sets of counters. */
    static void label(String value, String path, List<FieldError> errors) {
        if (bytes(value) > MAX_LABEL) {
            invalid(path, value, "must be no more than 63 characters", errors);
        }
        if (!LABEL.matches(value)) {
            boolean dots = SUBDOMAIN.matches(value) && value.length() <= MAX_SUBDOMAIN;
            invalid(path, value, dots ? "must not contain dots" : Names.DNS1123_LABEL, errors);
        }
    }

    /** Names of device classes and nodes; the shown value may be another than the checked one. */
    static void subdomain(String checked, String shown, String path, List<FieldError> errors) {
        if (bytes(checked) > MAX_SUBDOMAIN) {
            invalid(path, shown, "must be no more than 253 characters", errors);
        }
        if (!SUBDOMAIN.matches(checked)) {
            invalid(path, shown, Names.SUBDOMAIN, errors);
        }
    }

    static void subdomain(String value, String path, List<FieldError> errors) {
        subdomain(value, value, path, errors);
    }

    static void driver(String name, String path, List<FieldError> errors) {
        if (name.isEmpty()) {
            errors.add(FieldError.required(path, ""));
            return;
        }
        if (bytes(name) > MAX_LABEL) {
            errors.add(FieldError.tooLong(path, MAX_LABEL));
        }
        subdomain(name.toLowerCase(Locale.ROOT), name, path, errors);
    }

    static void pool(String name, String path, List<FieldError> errors) {
        if (name.isEmpty()) {
            errors.add(FieldError.required(path, ""));
            return;
        }
        if (bytes(name) > MAX_SUBDOMAIN) {
            errors.add(FieldError.tooLong(path, MAX_SUBDOMAIN));
        }
        for (String part : name.split("/", -1)) {
            subdomain(part, path, errors);
        }
    }

    /** The key of an attribute or a capacity: an identifier, or one after a domain. */
    static void qualified(String name, String path, List<FieldError> errors) {
        String[] parts = name.split("/", -1);
        if (parts.length == 1) {
            identifier(name, path, errors);
        } else if (parts.length == 2) {
            if (parts[0].isEmpty()) {
                invalid(path, "", "the domain must not be empty", errors);
            } else {
                driver(parts[0], path, errors);
            }
            if (parts[1].isEmpty()) {
                invalid(path, "", "the name must not be empty", errors);
            } else {
                identifier(parts[1], path, errors);
            }
        }
    }

    static void fullyQualified(String name, String path, List<FieldError> errors) {
        qualified(name, path, errors);
        if (!name.contains("/")) {
            invalid(path, name, "a fully qualified name must be a domain and a name separated by a slash", errors);
        }
    }

    private static void identifier(String id, String path, List<FieldError> errors) {
        if (bytes(id) > MAX_ID) {
            errors.add(FieldError.tooLong(path, MAX_ID));
        }
        if (!IDENTIFIER.matches(id)) {
            invalid(path, id, IDENTIFIER_TEXT, errors);
        }
    }

    /** The key of a label, which taints, conditions and node selectors use too. */
    static void labelKey(String key, String path, List<FieldError> errors) {
        labelKey(key, key, path, errors);
    }

    /** The same, where the shown key is another than the checked one. */
    static void labelKey(String checked, String key, String path, List<FieldError> errors) {
        String[] parts = checked.split("/", -1);
        if (parts.length > 2) {
            invalid(
                    path,
                    key,
                    "a valid label key " + KEY_TEXT
                            + " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')",
                    errors);
            return;
        }
        String name = parts[parts.length - 1];
        if (parts.length == 2) {
            prefix(parts[0], key, path, errors);
        }
        if (name.isEmpty()) {
            invalid(path, key, "name part must be non-empty", errors);
        } else if (bytes(name) > MAX_LABEL) {
            invalid(path, key, "name part must be no more than 63 bytes", errors);
        }
        if (!KEY.matches(name)) {
            invalid(path, key, "name part " + KEY_TEXT, errors);
        }
    }

    private static void prefix(String prefix, String key, String path, List<FieldError> errors) {
        if (prefix.isEmpty()) {
            invalid(path, key, "prefix part must be non-empty", errors);
            return;
        }
        if (bytes(prefix) > MAX_SUBDOMAIN) {
            invalid(path, key, "prefix part must be no more than 253 bytes", errors);
        }
        if (!SUBDOMAIN.matches(prefix)) {
            invalid(path, key, "prefix part " + Names.SUBDOMAIN, errors);
        }
    }

    static void labelValue(String value, String path, List<FieldError> errors) {
        if (bytes(value) > MAX_LABEL) {
            invalid(path, value, "must be no more than 63 bytes", errors);
        }
        if (!value.isEmpty() && !KEY.matches(value)) {
            invalid(path, value, VALUE_TEXT, errors);
        }
    }

    static void uid(String uid, String path, List<FieldError> errors) {
        int length = uid.length();
        boolean known = length == UUID || length == UUID + 2 || length == UUID + 9 || length == 32;
        boolean well = length == UUID && UUID_FORM.matches(uid);
        if (!known) {
            invalid(path, uid, "error validating uid: invalid UUID length: " + length, errors);
        } else if (!well) {
            invalid(path, uid, "error validating uid: invalid UUID format", errors);
        } else if (!uid.equals(uid.toLowerCase(Locale.ROOT))) {
            invalid(
                    path,
                    uid,
                    "uid must be in RFC 4122 normalized form, `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with lowercase"
                            + " hexadecimal characters",
                    errors);
        }
    }

    /** Whether it may be the name of an extended resource: not one of Kubernetes' own. */
    static boolean isExtendedResource(String name) {
        if (!name.contains("/") || name.contains("kubernetes.io/") || name.startsWith("requests.")) {
            return false;
        }
        String[] parts = ("requests." + name).split("/", -1);
        return parts.length == 2
                && bytes(parts[0]) <= MAX_SUBDOMAIN
                && SUBDOMAIN.matches(parts[0])
                && bytes(parts[1]) <= MAX_LABEL
                && KEY.matches(parts[1]);
    }
}
