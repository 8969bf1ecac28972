package dev.sro.runtime.gather;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Takes secrets out of objects and texts, and what only fills pages. Objects by their structure: values of Secrets always, other values
 * by the key that they have, with whatever is below such a key, environment variables and arguments by their names. Then every text, by
 * what looks like a secret in it. Stateless.
 */
final class Redaction {

    static final String REDACTED = "REDACTED";

    /** What stands below a key that names a secret when it is a reference to one. */
    private static final Set<String> REFERENCE = Set.of(
            "name", "namespace", "key", "path", "kind", "apiGroup", "apiVersion", "secretName", "audience", "driver");

    private static final Pattern OPTION = Pattern.compile("--?([A-Za-z][\\w.-]*)");
    private static final Pattern USER_INFO = Pattern.compile("(?<=://)[^/@\\s\"']+@");
    private static final Pattern BEARER = Pattern.compile("(?i)(?<=\\b(?:bearer|basic) )[\\w.~+/=-]+");
    private static final Pattern JWT = Pattern.compile("\\beyJ[\\w-]{8,4000}\\.[\\w-]{8,}\\.[\\w-]*");

    /** Forms that only tokens have: of AWS, GitHub, GitLab, Google, Slack, NVIDIA's NGC, HashiCorp's Vault. */
    private static final Pattern KNOWN =
            Pattern.compile("\\b(?:A[KS]IA[0-9A-Z]{16}|gh[pousr]_\\w{20,}|github_pat_\\w{20,}|glpat-[\\w-]{16,}"
                    + "|AIza[\\w-]{30,}|xox[abprs]-[\\w-]{10,}|nvapi-[\\w-]{16,}|hv[sb]\\.[\\w-]{20,})");

    /** All of a word, looked at once: texts of others are of any length, and one long word must not take the square of it. */
    private static final String NAME = "(?<![\\w.-])(?<name>[\\w.-]++)";

    /** A name, what is between, and a value: {@code a=b}, {@code a: "b"}, {@code "a": "b"}, {@code --a b}. */
    private static final Pattern ASSIGNED =
            Pattern.compile(NAME + "(?<mid>\\\\?[\"']?[ \\t]{0,3}[=:][ \\t]{0,3}|(?<=--[\\w.-]{1,60})\\s{1,3}(?!-))"
                    + "(?!(?i:bearer|basic)\\b|[|>])(?<value>\\\\?\"[^\"]*\"?|'[^']*'?|[^\\s\"',;&{}\\[\\]]+)");

    /** A block of YAML, with all that is indented behind it. */
    private static final Pattern BLOCK = Pattern.compile(
            "(?m)" + NAME + "(?<mid>[\"']?\\s*:\\s*[|>][-+\\d]*\\s*\\n)(?<value>(?:[ \\t]+\\S.*\\n?)+)");

    private static final Pattern PRIVATE_KEY =
            Pattern.compile("(?s)-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)");

    /** Repeats the whole object, secrets included. */
    private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

    private Redaction() {}

    /** A copy of an object without secrets and without managed fields. */
    static Map<String, Object> object(Map<String, Object> object) {
        Object kind = object.get("kind");
        if ("CustomResourceDefinition".equals(kind)) {
            // It has names of fields and no values.
            return map(object, "", unused -> false);
        }
        Map<String, Object> copy = map(object, "", SecretNames::has);
        if ("Secret".equals(kind)) {
            hide(copy, "data");
            hide(copy, "stringData");
        }
        hide(copy, "binaryData");
        return copy;
    }

    private static void hide(Map<String, Object> object, String field) {
        if (object.get(field) instanceof Map<?, ?> values) {
            Map<String, Object> hidden = new LinkedHashMap<>();
            values.keySet().forEach(key -> hidden.put(String.valueOf(key), REDACTED));
            object.put(field, hidden);
        }
    }

    private interface Names {
        boolean secret(String name);
    }

    private static Map<String, Object> map(Map<?, ?> map, String parent, Names names) {
        Map<String, Object> copy = new LinkedHashMap<>();
        // The entry of a list of names and values, as an environment variable is.
        boolean secretEntry = map.get("name") instanceof String name && names.secret(name);
        map.forEach((key, value) -> {
            String name = String.valueOf(key);
            if ((parent.equals("metadata") && name.equals("managedFields")) || name.equals(LAST_APPLIED)) {
                return;
            }
            boolean secret = names.secret(name) || (secretEntry && name.equals("value"));
            copy.put(name, secret ? hidden(value) : value(value, name, names));
        });
        return copy;
    }

    /** Of a secret only its form stays, and where it refers to. */
    private static Object hidden(Object value) {
        if (value instanceof Map<?, ?> map) {
            Map<String, Object> copy = new LinkedHashMap<>();
            map.forEach((key, below) -> copy.put(
                    String.valueOf(key),
                    REFERENCE.contains(String.valueOf(key)) && below instanceof String text
                            ? text(text)
                            : hidden(below)));
            return copy;
        }
        if (value instanceof List<?> list) {
            return list.stream().map(Redaction::hidden).toList();
        }
        return value instanceof Boolean || value == null ? value : REDACTED;
    }

    private static Object value(Object value, String name, Names names) {
        if (value instanceof Map<?, ?> map) {
            return map(map, name, names);
        }
        if (value instanceof List<?> list) {
            return list(list, name, names);
        }
        return value instanceof String text ? text(text) : value;
    }

    /** In a list of arguments, what follows an option belongs to it. */
    private static List<Object> list(List<?> list, String name, Names names) {
        List<Object> copy = new ArrayList<>();
        boolean next = false;
        for (Object item : list) {
            copy.add(next && item instanceof String ? REDACTED : value(item, name, names));
            Matcher option = OPTION.matcher(item instanceof String text ? text : "");
            next = option.matches() && names.secret(option.group(1));
        }
        return copy;
    }

    /** A text without what looks like a password, a token or a private key. */
    static String text(String text) {
        String without = PRIVATE_KEY.matcher(text).replaceAll(REDACTED);
        without = USER_INFO.matcher(without).replaceAll(REDACTED + "@");
        without = BEARER.matcher(without).replaceAll(REDACTED);
        without = JWT.matcher(without).replaceAll(REDACTED);
        without = KNOWN.matcher(without).replaceAll(REDACTED);
        without = assigned(BLOCK, without, "  " + REDACTED + "\n");
        return assigned(ASSIGNED, without, REDACTED);
    }

    /** A value that is none of a secret may have one in it: {@code https://x?token=y}. */
    private static String assigned(Pattern pattern, String text, String instead) {
        StringBuilder without = new StringBuilder();
        Matcher matcher = pattern.matcher(text);
        int at = 0;
        while (matcher.find(at)) {
            boolean secret = SecretNames.has(matcher.group("name"));
            without.append(text, at, matcher.end("mid")).append(secret ? instead : "");
            at = secret ? matcher.end() : matcher.end("mid");
        }
        return without.append(text, at, text.length()).toString();
    }
}
