package dev.sro.core.upgrade.cluster;

import dev.sro.core.load.WorkerPods;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.yaml.Json;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which pod templates the DaemonSets of a special resource's driver had. By it a pod is told to be outdated without a look at
 * ControllerRevisions, a driver comes back that was good, and pods that already run it are not restarted. Immutable.
 *
 * <p>A <em>target</em> is what all DaemonSets of the driver have together. A DaemonSet of a new pool joins it and makes no new one, so
 * that a node with a new kernel does not begin a roll-out.
 *
 * @param targets by identity: digest of the template by name of the DaemonSet
 * @param generations by uid of the DaemonSet: digest of the template by the API server's count of templates
 * @param templates by digest
 */
public record DriverRevisions(
        SortedMap<String, SortedMap<String, String>> targets,
        SortedMap<String, SortedMap<Long, String>> generations,
        SortedMap<String, Map<String, Object>> templates) {

    /** Nothing known. */
    public static final DriverRevisions EMPTY = new DriverRevisions(new TreeMap<>(), new TreeMap<>(), new TreeMap<>());

    /** Where the API server counts changes of the pod template. */
    private static final String TEMPLATE_GENERATION = "deprecated.daemonset.template.generation";

    private static final String TARGET = "target-";
    private static final String GENERATIONS = "generations-";
    private static final String TEMPLATE = "template-";

    /** Pods of older templates count as outdated whatever these were. */
    private static final int MAX_GENERATIONS = 10;

    private static final int IDENTITY = 10;

    /** A ConfigMap holds a mebibyte. */
    private static final int MAX_BYTES = 900_000;

    /** Copies. */
    public DriverRevisions {
        targets = Collections.unmodifiableSortedMap(new TreeMap<>(targets));
        generations = Collections.unmodifiableSortedMap(new TreeMap<>(generations));
        templates = Collections.unmodifiableSortedMap(new TreeMap<>(templates));
    }

    /** Reads the data of the ConfigMap; what cannot be read is left out. */
    public static DriverRevisions read(Optional<KubeObject> live) {
        SortedMap<String, SortedMap<String, String>> targets = new TreeMap<>();
        SortedMap<String, SortedMap<Long, String>> generations = new TreeMap<>();
        SortedMap<String, Map<String, Object>> templates = new TreeMap<>();
        live.map(object -> object.map("data")).orElse(Map.of()).forEach((key, value) -> {
            String text = String.valueOf(value);
            if (key.startsWith(TARGET)) {
                targets.put(key.substring(TARGET.length()), new TreeMap<>(pairs(text)));
            } else if (key.startsWith(GENERATIONS)) {
                SortedMap<Long, String> counted = new TreeMap<>();
                pairs(text).forEach((count, digest) -> {
                    if (count.matches("\\d{1,15}")) {
                        counted.put(Long.parseLong(count), digest);
                    }
                });
                generations.put(key.substring(GENERATIONS.length()), counted);
            } else if (key.startsWith(TEMPLATE)) {
                template(text).ifPresent(tree -> templates.put(key.substring(TEMPLATE.length()), tree));
            }
        });
        return new DriverRevisions(targets, generations, templates);
    }

    private static Map<String, String> pairs(String text) {
        Map<String, String> pairs = new LinkedHashMap<>();
        for (String line : text.split("\n", -1)) {
            int at = line.indexOf(' ');
            if (at > 0) {
                pairs.put(line.substring(0, at), line.substring(at + 1).strip());
            }
        }
        return pairs;
    }

    private static Optional<Map<String, Object>> template(String text) {
        try {
            if (Json.read(text) instanceof Map<?, ?> map) {
                Map<String, Object> tree = new LinkedHashMap<>();
                map.forEach((key, value) -> tree.put(String.valueOf(key), value));
                return Optional.of(ValueTrees.copy(tree));
            }
        } catch (IllegalStateException | IllegalArgumentException e) {
            // Edited by hand: as if it was taken away.
            return Optional.empty();
        }
        return Optional.empty();
    }

    /** As data of the ConfigMap. Without the templates where they do not fit: then nothing can be rolled back. */
    public Map<String, String> text() {
        Map<String, String> data = new TreeMap<>();
        targets.forEach((target, digests) -> data.put(TARGET + target, lines(digests)));
        generations.forEach((uid, counted) -> data.put(GENERATIONS + uid, lines(counted)));
        int size = data.values().stream().mapToInt(String::length).sum();
        for (Map.Entry<String, Map<String, Object>> template : templates.entrySet()) {
            String text = Json.text(template.getValue());
            size += text.length();
            if (size < MAX_BYTES) {
                data.put(TEMPLATE + template.getKey(), text);
            }
        }
        return data;
    }

    private static String lines(Map<?, String> pairs) {
        StringBuilder text = new StringBuilder();
        pairs.forEach((key, value) -> text.append(key).append(' ').append(value).append('\n'));
        return text.toString();
    }

    /** The digest of the pod template of a DaemonSet, as the recipe has it; of one of worker pods, its configuration. */
    public static String digest(KubeObject desired) {
        return WorkerPods.isTemplate(desired)
                ? desired.annotation(MetadataKeys.LOAD_CONFIG).orElse("")
                : ValueTrees.digest(template(desired));
    }

    /** The pod template of what carries a driver. */
    public static Map<String, Object> template(KubeObject carrier) {
        return WorkerPods.isTemplate(carrier) ? carrier.map("template") : carrier.map("spec", "template");
    }

    /** By what it is known while its driver changes: its name, without the configuration that is in the names of templates. */
    public static String name(KubeObject carrier) {
        if (!WorkerPods.isTemplate(carrier)) {
            return carrier.ref().name();
        }
        String when = carrier.annotation(MetadataKeys.LOAD_WHEN).orElse("");
        return carrier.ref().name().replace("-" + digest(carrier), "")
                + (when.isEmpty() ? "" : "-" + ValueTrees.digest(Map.of("when", when)));
    }

    /**
     * Identity of what these DaemonSets have together: a known one, if none of them differs from it.
     *
     * @param digests of their templates by their names
     */
    public String target(Map<String, String> digests) {
        for (Map.Entry<String, SortedMap<String, String>> known : targets.entrySet()) {
            boolean any = digests.keySet().stream().anyMatch(known.getValue()::containsKey);
            boolean same = digests.entrySet().stream()
                    .allMatch(
                            one -> one.getValue().equals(known.getValue().getOrDefault(one.getKey(), one.getValue())));
            if (any && same) {
                return known.getKey();
            }
        }
        return ValueTrees.digest(new TreeMap<String, Object>(digests)).substring(0, IDENTITY);
    }

    /** What a DaemonSet had when this was the target; empty if that is not known. */
    public Optional<Map<String, Object>> template(String target, String daemonSet) {
        return Optional.ofNullable(targets.getOrDefault(target, Collections.emptySortedMap())
                        .get(daemonSet))
                .flatMap(digest -> Optional.ofNullable(templates.get(digest)));
    }

    /** What carries a driver as it was when this was the target; as it is, if that is not known. */
    public KubeObject former(String target, KubeObject carrier) {
        String name = name(carrier);
        Optional<Map<String, Object>> known = template(target, name);
        if (known.isEmpty()) {
            return carrier;
        }
        Map<String, Object> template = ValueTrees.mutableCopy(known.get());
        if (!WorkerPods.isTemplate(carrier)) {
            return carrier.edit(tree -> ValueTrees.ensureMap(tree, "spec").put("template", template));
        }
        String config =
                targets.getOrDefault(target, Collections.emptySortedMap()).getOrDefault(name, "");
        String renamed = carrier.ref().name().replace("-" + digest(carrier), "-" + config);
        return carrier.edit(tree -> {
            tree.put("template", template);
            ValueTrees.ensureMap(tree, "metadata").put("name", renamed);
            ValueTrees.ensureMap(tree, "metadata", "annotations").put(MetadataKeys.LOAD_CONFIG, config);
        });
    }

    /** The digest of the template that a pod was made of; empty if it is not known. */
    public String ofPod(String daemonSetUid, String templateGeneration) {
        if (!templateGeneration.matches("\\d{1,15}")) {
            return "";
        }
        return generations
                .getOrDefault(daemonSetUid, Collections.emptySortedMap())
                .getOrDefault(Long.parseLong(templateGeneration), "");
    }

    /** With what a DaemonSet is observed to have now. */
    public DriverRevisions seen(KubeObject live) {
        Optional<String> revision = live.annotation(MetadataKeys.DRIVER_REVISION);
        String counted = live.annotation(TEMPLATE_GENERATION).orElse("");
        if (revision.isEmpty()
                || !counted.matches("\\d{1,15}")
                || revision.get().equals(ofPod(live.uid(), counted))) {
            return this;
        }
        SortedMap<Long, String> known =
                new TreeMap<>(generations.getOrDefault(live.uid(), Collections.emptySortedMap()));
        known.put(Long.parseLong(counted), revision.get());
        while (known.size() > MAX_GENERATIONS) {
            known.remove(known.firstKey());
        }
        SortedMap<String, SortedMap<Long, String>> all = new TreeMap<>(generations);
        all.put(live.uid(), known);
        return new DriverRevisions(targets, all, templates);
    }

    /**
     * With a target, and without those that nobody goes back to.
     *
     * @param target its identity
     * @param wanted what carries it, by name
     * @param good identity of the last good target; may be empty
     * @param uids of the DaemonSets that there are
     */
    public DriverRevisions keeping(
            String target, Map<String, KubeObject> wanted, String good, java.util.Set<String> uids) {
        SortedMap<String, SortedMap<String, String>> kept = new TreeMap<>(targets);
        kept.keySet().removeIf(known -> !known.equals(target) && !known.equals(good));
        SortedMap<String, String> digests = new TreeMap<>(kept.getOrDefault(target, Collections.emptySortedMap()));
        Map<String, Map<String, Object>> fresh = new HashMap<>();
        wanted.forEach((name, object) -> {
            String digest = digest(object);
            digests.put(name, digest);
            fresh.put(digest, template(object));
        });
        kept.put(target, digests);
        TreeSet<String> used = new TreeSet<>();
        kept.values().forEach(one -> used.addAll(one.values()));
        SortedMap<String, SortedMap<Long, String>> counted = new TreeMap<>(generations);
        counted.keySet().retainAll(uids);
        SortedMap<String, Map<String, Object>> known = new TreeMap<>(templates);
        known.putAll(fresh);
        known.keySet().retainAll(used);
        return new DriverRevisions(kept, counted, known);
    }
}
