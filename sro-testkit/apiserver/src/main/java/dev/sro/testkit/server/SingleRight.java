package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * One verb on one resource, on all objects or on one, or on a path: what rules are compared by ({@code component-helpers/auth/rbac/validation}
 * of Kubernetes). Immutable.
 *
 * @param name of the object; empty for all of them
 * @param path empty for a resource
 */
record SingleRight(String group, String resource, String name, String path, String verb) {

    /** What of these rules the others do not cover, in the server's words; sorted. */
    static List<String> missing(List<JsonNode> granted, List<JsonNode> held) {
        Map<SingleRight, List<String>> verbs = new LinkedHashMap<>();
        for (JsonNode rule : granted) {
            for (SingleRight right : of(rule)) {
                if (held.stream().noneMatch(right::isCoveredBy)) {
                    SingleRight any = new SingleRight(right.group, right.resource, right.name, right.path, "");
                    verbs.computeIfAbsent(any, unused -> new ArrayList<>()).add(right.verb);
                }
            }
        }
        TreeSet<String> texts = new TreeSet<>();
        verbs.forEach((right, all) -> texts.add(right.text(all)));
        return List.copyOf(texts);
    }

    private static List<SingleRight> of(JsonNode rule) {
        List<SingleRight> rights = new ArrayList<>();
        List<String> verbs = Json.texts(rule.path("verbs"));
        for (String group : Json.texts(rule.path("apiGroups"))) {
            for (String resource : Json.texts(rule.path("resources"))) {
                List<String> names = Json.texts(rule.path("resourceNames"));
                for (String name : names.isEmpty() ? List.of("") : names) {
                    verbs.forEach(verb -> rights.add(new SingleRight(group, resource, name, "", verb)));
                }
            }
        }
        for (String path : Json.texts(rule.path("nonResourceURLs"))) {
            verbs.forEach(verb -> rights.add(new SingleRight("", "", "", path, verb)));
        }
        return rights;
    }

    private boolean isCoveredBy(JsonNode rule) {
        int slash = resource.indexOf('/');
        String subresource = slash < 0 ? "" : resource.substring(slash + 1);
        Authorizer.Attributes wanted = path.isEmpty()
                ? new Authorizer.Attributes(
                        verb, group, slash < 0 ? resource : resource.substring(0, slash), subresource, null, name, "")
                : Authorizer.Attributes.ofPath(verb, path);
        return Authorizer.allows(rule, wanted);
    }

    private String text(List<String> verbs) {
        List<String> parts = new ArrayList<>();
        if (path.isEmpty()) {
            parts.add("APIGroups:" + quoted(List.of(group)));
            parts.add("Resources:" + quoted(List.of(resource)));
        }
        if (!name.isEmpty()) {
            parts.add("ResourceNames:" + quoted(List.of(name)));
        }
        if (!path.isEmpty()) {
            parts.add("NonResourceURLs:" + quoted(List.of(path)));
        }
        parts.add("Verbs:" + quoted(verbs));
        return "{" + String.join(", ", parts) + "}";
    }

    private static String quoted(List<String> words) {
        return "[\"" + String.join("\" \"", words) + "\"]";
    }
}
