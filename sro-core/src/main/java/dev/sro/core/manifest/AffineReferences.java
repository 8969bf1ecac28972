package dev.sro.core.manifest;

import dev.sro.api.Pool;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ValueTrees;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Kernel-affine objects get a name for each pool, and what refers to them by name would not find them any more. Objects that ask for it
 * ({@link MetadataKeys#AFFINE_REFERENCES}) refer to those of their own pool instead. Lives for one rendering of one pool.
 */
final class AffineReferences {

    /** Fields with the name of an object of one kind in them. */
    private static final Map<String, String> NAME_FIELDS = Map.of(
            "serviceAccountName", "ServiceAccount",
            "serviceAccount", "ServiceAccount",
            "secretName", "Secret",
            "claimName", "PersistentVolumeClaim",
            "serviceName", "Service",
            "ingressClassName", "IngressClass",
            "priorityClassName", "PriorityClass",
            "runtimeClassName", "RuntimeClass");

    /** Fields with a reference, or a list of references, to objects of one kind: it has a name. */
    private static final Map<String, String> REFERENCES = Map.ofEntries(
            Map.entry("configMap", "ConfigMap"),
            Map.entry("configMapRef", "ConfigMap"),
            Map.entry("configMapKeyRef", "ConfigMap"),
            Map.entry("secret", "Secret"),
            Map.entry("secretRef", "Secret"),
            Map.entry("secretKeyRef", "Secret"),
            Map.entry("imagePullSecrets", "Secret"),
            Map.entry("pullSecret", "Secret"),
            Map.entry("pushSecret", "Secret"),
            Map.entry("sourceSecret", "Secret"),
            Map.entry("service", "Service"),
            Map.entry("buildRef", "Build"));

    /** Labels that select pods; kernel-affine workloads have their name as {@code app}. */
    private static final Set<String> SELECTORS = Set.of("selector", "matchLabels");

    private static final List<String> WORKLOADS = List.of("DaemonSet", "Deployment", "StatefulSet");

    private static final String NAME = "name";

    private record Key(String kind, String namespace, String name) {}

    private final Map<Key, String> names = new HashMap<>();

    private AffineReferences(Pool pool, List<DesiredState> states) {
        String suffix = "-" + pool.affinityHash();
        for (DesiredState state : states) {
            for (Desired desired : state.byPool().getOrDefault(pool.name(), List.of())) {
                String name = desired.object().ref().name();
                if (name.endsWith(suffix)) {
                    names.put(
                            new Key(
                                    desired.object().ref().kind(),
                                    desired.object().ref().namespace(),
                                    desired.object()
                                            .annotation(MetadataKeys.AFFINE_OF)
                                            .orElse(name.substring(0, name.length() - suffix.length()))),
                            name);
                }
            }
        }
    }

    static boolean areAsked(Map<String, Object> tree) {
        return "true".equals(ValueTrees.text(tree, "metadata", "annotations", MetadataKeys.AFFINE_REFERENCES));
    }

    /** The states with the references of those that ask for it, whatever state has the objects that they refer to. */
    static List<DesiredState> resolved(List<DesiredState> states, List<Pool> pools) {
        boolean any = states.stream()
                .flatMap(state -> state.byPool().values().stream().flatMap(List::stream))
                .anyMatch(desired -> areAsked(desired.object().tree()));
        if (!any) {
            return states;
        }
        Map<String, AffineReferences> byPool = new HashMap<>();
        pools.forEach(pool -> byPool.put(pool.name(), new AffineReferences(pool, states)));
        List<DesiredState> result = new ArrayList<>();
        for (DesiredState state : states) {
            Map<String, List<Desired>> objects = new HashMap<>();
            state.byPool().forEach((pool, own) -> {
                AffineReferences references = byPool.get(pool);
                objects.put(
                        pool,
                        references == null
                                ? own
                                : own.stream().map(references::resolved).toList());
            });
            result.add(new DesiredState(
                    state.state(), state.before(), state.shared(), objects, state.problems(), state.hooks()));
        }
        return result;
    }

    private Desired resolved(Desired desired) {
        KubeObject object = desired.object();
        if (!areAsked(object.tree())) {
            return desired;
        }
        String namespace = object.ref().namespace();
        KubeObject rewritten = object.edit(tree -> {
            ValueTrees.ensureMap(tree, "metadata", "annotations").remove(MetadataKeys.APPLIED);
            tree.forEach((field, value) -> {
                if (!field.equals("metadata")) {
                    inField(field, value, namespace);
                }
            });
        });
        return new Desired(AppliedDigest.stamp(rewritten), desired.state(), desired.pool());
    }

    @SuppressWarnings("unchecked")
    private void inField(String field, Object value, String namespace) {
        if (value instanceof List<?> list) {
            list.forEach(element -> inField(field, element, namespace));
        } else if (value instanceof Map<?, ?> map) {
            inMap(field, (Map<String, Object>) map, namespace);
        }
    }

    private void inMap(String field, Map<String, Object> map, String namespace) {
        String kind = REFERENCES.getOrDefault(field, ValueTrees.text(map, "kind"));
        String there = ValueTrees.text(map, "namespace");
        rename(map, NAME, kind, there.isEmpty() ? namespace : there);
        NAME_FIELDS.forEach((name, target) -> rename(map, name, target, namespace));
        if (SELECTORS.contains(field)) {
            WORKLOADS.forEach(target -> rename(map, "app", target, namespace));
        }
        map.forEach((name, value) -> inField(name, value, namespace));
    }

    private void rename(Map<String, Object> map, String field, String kind, String namespace) {
        if (map.get(field) instanceof String name) {
            String found = names.get(new Key(kind, namespace, name));
            String renamed = found == null ? names.get(new Key(kind, "", name)) : found;
            if (renamed != null) {
                map.put(field, renamed);
            }
        }
    }
}
