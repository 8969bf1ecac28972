package dev.sro.testkit.server;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The rules for label keys and values and for object names, with the API's own messages. */
final class Labels {
    private static final Pattern VALUE = Pattern.compile("(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?");
    private static final Pattern NAME_PART = Pattern.compile("([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]");
    private static final Pattern SUBDOMAIN =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
    private static final Pattern DNS_LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");

    static final String SUBDOMAIN_TEXT =
            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must"
                    + " start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is"
                    + " '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
    static final String LABEL_TEXT =
            "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and"
                    + " end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is"
                    + " '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
    static final String DNS1035_TEXT =
            "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic"
                    + " character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for"
                    + " validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
    private static final String VALUE_TEXT =
            "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must"
                    + " start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex"
                    + " used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
    private static final String NAME_PART_TEXT =
            "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric"
                    + " character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is"
                    + " '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

    private Labels() {}

    /** The faults of a qualified name (label or annotation key). */
    static List<String> keyFaults(String key) {
        List<String> faults = new ArrayList<>();
        int slash = key.indexOf('/');
        String name = key;
        if (slash >= 0 && key.indexOf('/', slash + 1) >= 0) {
            faults.add("a valid label key " + NAME_PART_TEXT
                    + " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')");
            return faults;
        }
        if (slash >= 0) {
            String prefix = key.substring(0, slash);
            name = key.substring(slash + 1);
            if (prefix.isEmpty()) {
                faults.add("prefix part must be non-empty");
            } else {
                subdomainFaults(prefix).forEach(f -> faults.add("prefix part " + f));
            }
        }
        if (name.isEmpty()) {
            faults.add("name part must be non-empty");
        } else if (name.length() > 63) {
            faults.add("name part must be no more than 63 bytes");
        }
        if (!NAME_PART.matcher(name).matches()) {
            faults.add("name part " + NAME_PART_TEXT);
        }
        return faults;
    }

    /** The faults of a label value. */
    static List<String> valueFaults(String value) {
        List<String> faults = new ArrayList<>();
        if (value.length() > 63) {
            faults.add("must be no more than 63 bytes");
        }
        if (!VALUE.matcher(value).matches()) {
            faults.add(VALUE_TEXT);
        }
        return faults;
    }

    static List<String> subdomainFaults(String name) {
        return faults(name, 253, SUBDOMAIN, SUBDOMAIN_TEXT);
    }

    static List<String> labelFaults(String name) {
        boolean dots = name.contains(".") && SUBDOMAIN.matcher(name).matches();
        return faults(name, 63, DNS_LABEL, dots ? "must not contain dots" : LABEL_TEXT);
    }

    /** Names of services may begin with a digit, and are said to be wrong in words of their own. */
    static List<String> serviceFaults(String name) {
        List<String> faults = new ArrayList<>();
        if (name.length() > 63) {
            faults.add("must be no more than 63 characters");
        }
        if (name.contains(".") && SUBDOMAIN.matcher(name).matches()) {
            faults.add("must not contain dots");
        } else if (!DNS_LABEL.matcher(name).matches()) {
            faults.add(LABEL_TEXT);
        }
        return faults;
    }

    /** The rule of RBAC names: anything that can stand in a path. */
    static List<String> pathSegmentFaults(String name) {
        List<String> faults = new ArrayList<>();
        if (name.equals(".") || name.equals("..")) {
            faults.add("may not be '" + name + "'");
        }
        for (String illegal : List.of("/", "%")) {
            if (name.contains(illegal)) {
                faults.add("may not contain '" + illegal + "'");
            }
        }
        return faults;
    }

    private static List<String> faults(String name, int max, Pattern rule, String text) {
        List<String> faults = new ArrayList<>();
        if (name.length() > max) {
            faults.add("must be no more than " + max + " characters");
        }
        if (!rule.matcher(name).matches()) {
            faults.add(text);
        }
        return faults;
    }

    static void requireKey(String key) {
        List<String> faults = keyFaults(key);
        if (!faults.isEmpty()) {
            throw new IllegalArgumentException("<nil>: Invalid value: \"" + key + "\": " + String.join("; ", faults));
        }
    }

    static void requireValue(String path, String value) {
        List<String> faults = valueFaults(value);
        if (!faults.isEmpty()) {
            throw new IllegalArgumentException(
                    path + ": Invalid value: \"" + value + "\": " + String.join("; ", faults));
        }
    }
}
