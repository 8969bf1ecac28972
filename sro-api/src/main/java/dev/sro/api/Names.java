package dev.sro.api;

import java.util.regex.Pattern;

/** Kubernetes' rules for names, as checks with messages that name the field. Stateless. */
final class Names {

    /** RFC 1123 label, as Kubernetes checks it. */
    private static final Pattern DNS_LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");

    private static final int MAX_LABEL = 63;

    private Names() {}

    static void requireDnsLabel(String field, String value) {
        if (value.length() > MAX_LABEL || !DNS_LABEL.matcher(value).matches()) {
            throw new IllegalArgumentException(field + ": \"" + value
                    + "\" must be a DNS label: lower case letters, digits and '-', at most 63 characters,"
                    + " starting and ending with a letter or digit");
        }
    }
}
