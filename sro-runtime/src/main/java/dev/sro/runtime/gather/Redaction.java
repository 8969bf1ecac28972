package dev.sro.runtime.gather;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Takes secrets out of objects and texts, and what only fills pages. Stateless. */
final class Redaction {

    static final String REDACTED = "REDACTED";

    /** Names of fields and of environment variables whose values are secrets; those that name a Secret are not. */
    private static final Pattern SECRET = Pattern.compile(
            "(?i).*(password|passwd|passphrase|token|apikey|api[-_]key|private[-_]?key|credential|authorization).*|.*secret");

    /** A reference to a secret, by name or key, and settings of tokens that are none. */
    private static final Pattern HARMLESS = Pattern.compile(
            "(?i).*(name|ref|refs|path|file|mount|audience|expirationseconds|automountserviceaccounttoken)");

    private static final Pattern USER_INFO = Pattern.compile("(?<=://)[^/@\\s\"']+@");
    private static final Pattern BEARER = Pattern.compile("(?i)(?<=bearer )[\\w.~+/=-]+");
    private static final Pattern JWT = Pattern.compile("\\beyJ[\\w-]{8,}\\.[\\w-]{8,}\\.[\\w-]*");
    private static final Pattern ASSIGNED =
            Pattern.compile("(?i)(?<=\\b(password|passwd|token|api[-_]key|secret)[\"']?[=:] ?[\"']?)[^\\s\"',;&]+");
    private static final Pattern PRIVATE_KEY =
            Pattern.compile("(?s)-----BEGIN [A-Z ]*PRIVATE KEY-----.*?-----END [A-Z ]*PRIVATE KEY-----");

    /** Repeats the whole object, secrets included. */
    private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

    private Redaction() {}

    /** A copy of an object without secrets and without managed fields. */
    static Map<String, Object> object(Map<String, Object> object) {
        Map<String, Object> copy = map(object, "");
        if ("Secret".equals(object.get("kind"))) {
            for (String field : List.of("data", "stringData")) {
                if (copy.get(field) instanceof Map<?, ?> values) {
                    Map<String, Object> hidden = new LinkedHashMap<>();
                    values.keySet().forEach(key -> hidden.put(String.valueOf(key), REDACTED));
                    copy.put(field, hidden);
                }
            }
        }
        return copy;
    }

    private static Map<String, Object> map(Map<?, ?> map, String parent) {
        Map<String, Object> copy = new LinkedHashMap<>();
        // The entry of a list of names and values, as an environment variable is.
        boolean secretEntry = map.get("name") instanceof String name && isSecret(name);
        map.forEach((key, value) -> {
            String name = String.valueOf(key);
            if ((parent.equals("metadata") && name.equals("managedFields")) || name.equals(LAST_APPLIED)) {
                return;
            }
            boolean scalar = !(value instanceof Map<?, ?>) && !(value instanceof List<?>);
            boolean secret = isSecret(name) || (secretEntry && name.equals("value"));
            copy.put(name, secret && scalar && value != null ? REDACTED : value(value, name));
        });
        return copy;
    }

    private static Object value(Object value, String name) {
        if (value instanceof Map<?, ?> map) {
            return map(map, name);
        }
        if (value instanceof List<?> list) {
            return list.stream().map(item -> value(item, name)).toList();
        }
        return value instanceof String text ? text(text) : value;
    }

    private static boolean isSecret(String name) {
        return SECRET.matcher(name).matches() && !HARMLESS.matcher(name).matches();
    }

    /** A text without what looks like a password, a token or a private key. */
    static String text(String text) {
        String without = PRIVATE_KEY.matcher(text).replaceAll(REDACTED);
        without = USER_INFO.matcher(without).replaceAll(REDACTED + "@");
        without = BEARER.matcher(without).replaceAll(REDACTED);
        without = JWT.matcher(without).replaceAll(REDACTED);
        return ASSIGNED.matcher(without).replaceAll(REDACTED);
    }
}
