package dev.sro.testkit.schema;

import com.google.re2j.Pattern;

/** The rules for names, with the server's texts. */
final class Names {
    static final String DNS1035_LABEL =
            "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic"
                    + " character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for"
                    + " validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
    static final String DNS1123_LABEL =
            "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and"
                    + " end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is"
                    + " '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
    static final String SUBDOMAIN =
            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must"
                    + " start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is"
                    + " '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

    private static final int MAX_LABEL = 63;
    private static final int MAX_SUBDOMAIN = 253;
    private static final Pattern DNS1035 = Pattern.compile("[a-z]([-a-z0-9]*[a-z0-9])?");
    private static final Pattern DNS1123 = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");
    private static final Pattern DNS1123_SUBDOMAIN =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

    private Names() {}

    /** Of any length. */
    static boolean isDns1035(String name) {
        return DNS1035.matches(name);
    }

    static boolean isDns1035Label(String name) {
        return name.length() <= MAX_LABEL && DNS1035.matches(name);
    }

    static boolean isDns1123Label(String name) {
        return name.length() <= MAX_LABEL && DNS1123.matches(name);
    }

    static boolean isSubdomain(String name) {
        return name.length() <= MAX_SUBDOMAIN && DNS1123_SUBDOMAIN.matches(name);
    }
}
