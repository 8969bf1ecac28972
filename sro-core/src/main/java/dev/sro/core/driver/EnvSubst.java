package dev.sro.core.driver;

import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Templates as Kernel Module Management has them, which is those of the program envsubst: {@code $NAME} and <code>${NAME}</code>,
 * and <code>${NAME:-word}</code> for what has no value. A name without a value stands for nothing, as there. Stateless.
 */
final class EnvSubst {

    /** A name; a name in braces, with a default or not; or braces with anything else or without an end. */
    private static final Pattern VARIABLE =
            Pattern.compile("\\$(?:([A-Za-z_][A-Za-z0-9_]*)|\\{([A-Za-z_][A-Za-z0-9_]*)(:?-([^{}$]*))?}|(\\{))");

    private EnvSubst() {}

    /**
     * The template with the values.
     *
     * @param field for messages
     * @param unknown gets the names that have no value
     * @throws DriverException if braces are not closed, or hold what is no name
     */
    static String expand(String field, String template, Map<String, String> values, Set<String> unknown) {
        Matcher matcher = VARIABLE.matcher(template);
        StringBuilder result = new StringBuilder();
        while (matcher.find()) {
            if (matcher.group(5) != null) {
                throw DriverException.invalid(
                        field,
                        "\"" + template + "\" has ${ without a name and a } behind it; write $NAME, ${NAME} or"
                                + " ${NAME:-default}");
            }
            String name = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
            matcher.appendReplacement(result, Matcher.quoteReplacement(value(matcher, name, values, unknown)));
        }
        return matcher.appendTail(result).toString();
    }

    private static String value(Matcher matcher, String name, Map<String, String> values, Set<String> unknown) {
        String value = values.get(name);
        String fallback = matcher.group(4);
        boolean emptyCounts = fallback != null && !matcher.group(3).startsWith(":");
        if (value != null && (!value.isEmpty() || fallback == null || emptyCounts)) {
            return value;
        }
        if (fallback == null) {
            unknown.add(name);
            return "";
        }
        return fallback;
    }
}
