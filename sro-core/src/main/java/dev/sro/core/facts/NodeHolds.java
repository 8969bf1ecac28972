package dev.sro.core.facts;

import dev.sro.core.model.NodeFields;
import dev.sro.core.model.NodeVerdict;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a node has besides facts and labels that SRO writes, or that an upgrade of its driver is about: annotations, who keeps pods
 * off it, and conditions. Immutable.
 *
 * @param annotations those that an upgrade may be about, whoever wrote them; see {@link #concerns}
 * @param applied annotation keys that server-side apply holds on the node, by SRO's field managers
 * @param cordoning SRO's field managers that hold {@code spec.unschedulable}
 * @param cordonedByOthers whether the node is unschedulable by the will of somebody else
 * @param verdicts conditions that SRO's field managers hold in the node's status, by manager and type
 */
public record NodeHolds(
        SortedMap<String, String> annotations,
        Map<String, Set<String>> applied,
        Set<String> cordoning,
        boolean cordonedByOthers,
        Map<String, SortedMap<String, NodeVerdict>> verdicts) {

    /** Nothing of all that. */
    public static final NodeHolds NONE = new NodeHolds(new TreeMap<>(), Map.of(), Set.of(), false);

    /** Copies the collections. */
    public NodeHolds {
        annotations = Collections.unmodifiableSortedMap(new TreeMap<>(annotations));
        applied = Map.copyOf(applied);
        cordoning = Set.copyOf(cordoning);
        verdicts = Map.copyOf(verdicts);
    }

    /** Without conditions. */
    public NodeHolds(
            SortedMap<String, String> annotations,
            Map<String, Set<String>> applied,
            Set<String> cordoning,
            boolean cordonedByOthers) {
        this(annotations, applied, cordoning, cordonedByOthers, Map.of());
    }

    /**
     * Whether an annotation of a node may matter to an upgrade: its name is about a driver, about loading it safely, or about resets, as
     * those of all operators of this kind are, or it is SRO's own. All others stay out of memory, as some change all the time.
     */
    public static boolean concerns(String key) {
        String name = key.substring(key.indexOf('/') + 1);
        return key.startsWith("sro.dev/")
                || name.contains("driver")
                || name.contains("safe-load")
                || name.contains("reset");
    }

    /** What it is when this manager holds exactly this. */
    public NodeHolds with(String manager, NodeFields marks) {
        SortedMap<String, String> all = new TreeMap<>(annotations);
        applied.getOrDefault(manager, Set.of()).stream()
                .filter(key -> !marks.annotations().containsKey(key))
                .forEach(all::remove);
        all.putAll(marks.annotations());
        Map<String, Set<String>> held = new HashMap<>(applied);
        if (marks.annotations().isEmpty()) {
            held.remove(manager);
        } else {
            held.put(manager, Set.copyOf(marks.annotations().keySet()));
        }
        Set<String> managers = new HashSet<>(cordoning);
        if (marks.cordoned()) {
            managers.add(manager);
        } else {
            managers.remove(manager);
        }
        return new NodeHolds(all, held, managers, cordonedByOthers, verdicts);
    }

    /** What it is without these annotations, whoever held them. */
    public NodeHolds without(Set<String> keys) {
        SortedMap<String, String> left = new TreeMap<>(annotations);
        left.keySet().removeAll(keys);
        Map<String, Set<String>> held = new HashMap<>();
        applied.forEach((manager, all) -> {
            Set<String> still = new HashSet<>(all);
            still.removeAll(keys);
            if (!still.isEmpty()) {
                held.put(manager, still);
            }
        });
        return new NodeHolds(left, held, cordoning, cordonedByOthers, verdicts);
    }

    /**
     * What it is when this annotation, which nobody holds by server-side apply, is so.
     *
     * @param value empty for none
     */
    public NodeHolds recording(String key, String value) {
        SortedMap<String, String> all = new TreeMap<>(annotations);
        if (value.isEmpty()) {
            all.remove(key);
        } else {
            all.put(key, value);
        }
        return new NodeHolds(all, applied, cordoning, cordonedByOthers, verdicts);
    }

    /** What it is when this manager holds exactly these conditions. */
    public NodeHolds judged(String manager, SortedMap<String, NodeVerdict> conditions) {
        Map<String, SortedMap<String, NodeVerdict>> all = new HashMap<>(verdicts);
        if (conditions.isEmpty()) {
            all.remove(manager);
        } else {
            all.put(manager, conditions);
        }
        return new NodeHolds(annotations, applied, cordoning, cordonedByOthers, all);
    }

    /** Whether the node is unschedulable at all. */
    public boolean cordoned() {
        return cordonedByOthers || !cordoning.isEmpty();
    }
}
