package dev.sro.core.build;

import static dev.sro.core.model.TreeLiterals.map;

import dev.sro.core.model.KubeObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Puts trees of objects together. Stateless. */
final class BuildTrees {

    private BuildTrees() {}

    /** An object of a step. */
    static Map<String, Object> object(String apiVersion, String kind, BuildStep step, String name, int attempt) {
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("name", name);
        metadata.put("namespace", step.namespace());
        metadata.put("annotations", new TreeMap<>(step.annotations(attempt)));
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("apiVersion", apiVersion);
        tree.put("kind", kind);
        tree.put("metadata", metadata);
        return tree;
    }

    static KubeObject frozen(Map<String, Object> tree) {
        return KubeObject.of(tree);
    }

    /** As Kubernetes lists pairs, sorted by name. */
    static List<Object> nameValues(Map<String, String> values) {
        List<Object> list = new ArrayList<>();
        new TreeMap<>(values).forEach((name, value) -> list.add(map("name", name, "value", value)));
        return list;
    }

    /** What a build needs and may use: a limit that is lower than what it needs lowers that. */
    static Map<String, Object> resources(
            BuildStep step, Map<String, String> defaultLimits, Map<String, String> defaultRequests) {
        Map<String, Object> limits = new TreeMap<>(defaultLimits);
        Map<String, Object> requests = new TreeMap<>(defaultRequests);
        step.plan().limits().forEach((name, value) -> {
            limits.put(name, value);
            requests.remove(name);
        });
        requests.putAll(step.plan().requests());
        return map("requests", requests, "limits", limits);
    }

    /** Nodes that can build for the pool: of its architecture, unless the plan says something else. */
    static Map<String, Object> nodeSelector(BuildStep step) {
        Map<String, Object> selector = new TreeMap<>();
        selector.put("kubernetes.io/arch", step.pool().architecture());
        selector.putAll(step.plan().nodeSelector());
        return selector;
    }
}
