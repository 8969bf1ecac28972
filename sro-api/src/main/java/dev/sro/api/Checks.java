package dev.sro.api;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Checks of values, with messages that name the object, the field and the fix: {@code LoadPlan.modules: …}. The builders
 * of this contract use them, and a plugin may for its own settings. Stateless.
 *
 * <p>Every check throws {@link IllegalArgumentException}. The rules are those of Kubernetes where it has one
 * (RFC 1123 labels and subdomains, qualified names, label values, quantities).
 *
 * @since 0.1.0
 */
public final class Checks {

    private static final Pattern DNS_LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");

    private static final Pattern DNS_SUBDOMAIN = Pattern.compile(DNS_LABEL + "(\\." + DNS_LABEL + ")*");

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?");

    private static final Pattern QUANTITY =
            Pattern.compile("[0-9]+(\\.[0-9]+)?([numkMGTPE]|[KMGTPE]i|[eE][+-]?[0-9]+)?");

    /** Repository in lower case, then a tag of at most 128 characters, a digest, or both. */
    private static final Pattern IMAGE =
            Pattern.compile("[a-zA-Z0-9][-a-zA-Z0-9.]*(:[0-9]+)?(/[a-z0-9]+([._-]+[a-z0-9]+)*)*"
                    + "(:[A-Za-z0-9_][-A-Za-z0-9_.]{0,127})?(@sha256:[0-9a-f]{64})?");

    /** As the kernel has them: letters, digits, underscore and dash. */
    private static final Pattern MODULE = Pattern.compile("[A-Za-z0-9_-]{1,55}");

    private static final int MAX_LABEL = 63;

    private static final int MAX_SUBDOMAIN = 253;

    private static final int MAX_PERCENT = 100;

    private Checks() {}

    /** Not empty and not only white space. */
    public static void notBlank(String field, String value) {
        require(!value.isBlank(), field, value, "must not be empty");
    }

    /** A DNS label, at most 63 characters: names of most objects. */
    public static void dnsLabel(String field, String value) {
        require(
                value.length() <= MAX_LABEL && DNS_LABEL.matcher(value).matches(),
                field,
                value,
                "must be a DNS label: lower case letters, digits and '-', at most 63 characters,"
                        + " starting and ending with a letter or digit");
    }

    /** A DNS subdomain, at most 253 characters: names of drivers, CRDs and device classes. */
    public static void dnsSubdomain(String field, String value) {
        require(
                isSubdomain(value),
                field,
                value,
                "must be a DNS subdomain: DNS labels with dots between them, at most 253 characters");
    }

    /** A key of a label, annotation, taint or resource: an optional DNS subdomain and a slash, then a name. */
    public static void qualifiedName(String field, String value) {
        int slash = value.indexOf('/');
        String name = value.substring(slash + 1);
        boolean prefixed = slash < 0 || isSubdomain(value.substring(0, slash));
        require(
                prefixed && name.length() <= MAX_LABEL && NAME.matcher(name).matches(),
                field,
                value,
                "must be a name of at most 63 characters with an optional domain before it,"
                        + " for example vendor.example/device");
    }

    /** A key as {@link #qualifiedName} that has a domain, which says whose it is. */
    public static void ownedName(String field, String value) {
        qualifiedName(field, value);
        require(value.indexOf('/') > 0, field, value, "must begin with the vendor's domain: vendor.example/" + value);
    }

    /** The value of a label: empty, or a name of at most 63 characters. */
    public static void labelValue(String field, String value) {
        require(
                value.isEmpty()
                        || (value.length() <= MAX_LABEL && NAME.matcher(value).matches()),
                field,
                value,
                "must be a label value: letters, digits, '-', '_' and '.', at most 63 characters,"
                        + " starting and ending with a letter or digit");
    }

    /** An amount that is not negative, as Kubernetes writes it: {@code 4}, {@code 1500m}, {@code 2Gi}. */
    public static void quantity(String field, String value) {
        require(
                QUANTITY.matcher(value).matches(),
                field,
                value,
                "must be a Kubernetes quantity that is not negative, for example 4, 500m or 2Gi");
    }

    /** A reference to a container image, with a tag or a digest so that it is known which one. */
    public static void image(String field, String value) {
        String last = value.substring(value.lastIndexOf('/') + 1);
        require(
                IMAGE.matcher(value).matches() && (last.contains(":") || last.contains("@")),
                field,
                value,
                "must be an image with a tag or digest, for example registry.example/driver:1.0");
    }

    /** An absolute path without {@code ..} in it. */
    public static void absolutePath(String field, String value) {
        require(
                value.startsWith("/") && !(value + "/").contains("/../"),
                field,
                value,
                "must be an absolute path without \"..\"");
    }

    /** The name of a kernel module, without path and {@code .ko}. */
    public static void moduleName(String field, String value) {
        require(
                MODULE.matcher(value).matches() && !value.endsWith(".ko"),
                field,
                value,
                "must be the name of a kernel module, without path and without .ko");
    }

    /** A number of nodes, or a share of them such as {@code 25%}. */
    public static void countOrPercent(String field, String value) {
        boolean percent = value.endsWith("%");
        String digits = percent ? value.substring(0, value.length() - 1) : value;
        boolean number = digits.matches("[0-9]{1,9}");
        require(
                number && (!percent || Integer.parseInt(digits) <= MAX_PERCENT),
                field,
                value,
                "must be a whole number or a percentage from 0% to 100%");
    }

    /** A number in a closed range. */
    public static void range(String field, long value, long min, long max) {
        require(value >= min && value <= max, field, String.valueOf(value), "must be from " + min + " to " + max);
    }

    /** No two equal values. */
    public static void noDuplicates(String field, Collection<String> values) {
        Set<String> seen = new HashSet<>();
        for (String value : values) {
            require(seen.add(value), field, value, "is there twice; remove one");
        }
    }

    /** Any other rule: the message is made of the field and of what it must be. */
    public static void require(boolean holds, String field, String rule) {
        if (!holds) {
            throw new IllegalArgumentException(field + ": " + rule);
        }
    }

    private static void require(boolean holds, String field, String value, String rule) {
        if (!holds) {
            throw new IllegalArgumentException(field + ": \"" + value + "\" " + rule);
        }
    }

    private static boolean isSubdomain(String value) {
        return value.length() <= MAX_SUBDOMAIN && DNS_SUBDOMAIN.matcher(value).matches();
    }
}
