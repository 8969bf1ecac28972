package dev.sro.core.engine.relation;

import dev.sro.api.resource.ReadinessTaint;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.model.Specs;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The readiness taints of those that need a special resource first. It has to come to their nodes before they are ready there: were it
 * kept off by their taints, each would wait for the other. Stateless.
 */
public final class DependentTaints {

    private DependentTaints() {}

    /**
     * What the operands of a special resource tolerate because of all that need it, themselves or by way of others.
     *
     * @param all special resources
     * @return as in the spec of a pod, in the order of the taints' texts
     */
    public static List<Map<String, Object>> tolerations(String name, List<SpecialResource> all) {
        SortedMap<String, Map<String, Object>> tolerations = new TreeMap<>();
        Set<String> seen = new HashSet<>(Set.of(name));
        Deque<String> queue = new ArrayDeque<>(List.of(name));
        while (!queue.isEmpty()) {
            String needed = queue.remove();
            for (SpecialResource other : all) {
                if (Dependencies.needed(other).contains(needed)
                        && seen.add(other.getMetadata().getName())) {
                    queue.add(other.getMetadata().getName());
                    taints(other).forEach(taint -> put(tolerations, taint));
                }
            }
        }
        return List.copyOf(tolerations.values());
    }

    /** Those that it says itself, and those of its recipe, which are on record before any node has them; each {@code key=value:Effect}. */
    static List<String> taints(SpecialResource resource) {
        List<String> taints = new ArrayList<>();
        ReadinessTaint said = Specs.of(resource).getReadinessTaint();
        if (said != null && !said.getKey().isEmpty()) {
            taints.add(said.getKey() + ":" + Objects.requireNonNullElse(said.getEffect(), ReadinessTaint.NO_SCHEDULE));
        }
        taints.addAll(recorded(resource));
        return taints;
    }

    /** Those that are, or are about to be, on nodes. */
    static List<String> recorded(SpecialResource resource) {
        return resource.getStatus() == null ? List.of() : resource.getStatus().getReadinessTaints();
    }

    private static void put(SortedMap<String, Map<String, Object>> tolerations, String taint) {
        int colon = taint.lastIndexOf(':');
        int equals = taint.indexOf('=');
        String key = taint.substring(0, equals < 0 ? colon : equals);
        String effect = taint.substring(colon + 1);
        tolerations.put(key + ":" + effect, Map.of("key", key, "operator", "Exists", "effect", effect));
    }
}
