package dev.sro.core.manifest;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Replaces placeholders in the strings of a tree. Works on parsed trees, never on text, so that a value cannot change the
 * structure. Total: it always ends, with a result or with a {@link RenderException}.
 */
final class Substitution {

    /** An escaped opening, or a placeholder. */
    private static final Pattern PLACEHOLDER = Pattern.compile("(\\$\\$\\{)|\\$\\{([^{}]*)}");

    private static final String NO_TOOLKIT =
            "it is known per pool, and the cluster has no image stream openshift/driver-toolkit, or none that SRO may"
                    + " read. On OpenShift, import the driver toolkit; elsewhere, leave these manifests out or name an"
                    + " image";

    private final String source;
    private final Variables variables;

    Substitution(String source, Variables variables) {
        this.source = source;
        this.variables = variables;
    }

    Map<String, Object> in(Map<String, ?> tree) {
        Map<String, Object> result = new LinkedHashMap<>(tree.size() * 2);
        tree.forEach((key, value) -> {
            if (value != null) {
                result.put(key.contains("${") ? String.valueOf(text(key)) : key, value(value));
            }
        });
        return result;
    }

    @SuppressWarnings("unchecked")
    private Object value(Object value) {
        if (value instanceof Map<?, ?> map) {
            return in((Map<String, ?>) map);
        }
        if (value instanceof List<?> list) {
            List<Object> items = new ArrayList<>(list.size());
            for (Object item : list) {
                items.add(value(item));
            }
            return items;
        }
        return value instanceof String text && text.contains("${") ? text(text) : value;
    }

    private Object text(String text) {
        Matcher matcher = PLACEHOLDER.matcher(text);
        if (matcher.matches() && matcher.group(1) == null) {
            return plain(matcher.group(2), lookUp(matcher.group(2)));
        }
        matcher.reset();
        StringBuilder result = new StringBuilder();
        while (matcher.find()) {
            String replacement = matcher.group(1) == null ? scalar(matcher.group(2), lookUp(matcher.group(2))) : "${";
            matcher.appendReplacement(result, Matcher.quoteReplacement(replacement));
        }
        return matcher.appendTail(result).toString();
    }

    private Object lookUp(String name) {
        return variables
                .find(name)
                .orElseThrow(() -> RenderException.vendor(
                        "UndefinedVariable",
                        source + ": there is no value for ${" + name + "}; "
                                + (name.equals(BuiltinVariables.DRIVER_TOOLKIT)
                                        ? NO_TOOLKIT
                                        : "check the name, or set the field of the special resource that it"
                                                + " stands for")));
    }

    /** A copy of its own, as hooks change the tree, made of nothing but what JSON has. */
    private Object plain(String name, Object value) {
        if (value instanceof Map<?, ?> map) {
            Map<String, Object> copy = new LinkedHashMap<>(map.size() * 2);
            map.forEach((key, item) -> {
                if (item != null) {
                    copy.put(String.valueOf(key), plain(name, item));
                }
            });
            return copy;
        }
        if (value instanceof Collection<?> items) {
            List<Object> copy = new ArrayList<>(items.size());
            items.forEach(item -> copy.add(plain(name, item)));
            return copy;
        }
        if (value instanceof Enum<?> constant) {
            return constant.name();
        }
        if (value instanceof String || value instanceof Number || value instanceof Boolean) {
            return value;
        }
        throw RenderException.vendor(
                "InvalidManifest",
                source + ": ${" + name + "} has a value of type "
                        + value.getClass().getName()
                        + "; a manifest can hold strings, numbers, booleans, lists and maps");
    }

    private String scalar(String name, Object value) {
        Object plain = plain(name, value);
        if (plain instanceof Map || plain instanceof List) {
            throw RenderException.vendor(
                    "InvalidManifest",
                    source + ": ${" + name + "} is a list or an object and cannot be part of a longer string");
        }
        return plain.toString();
    }
}
