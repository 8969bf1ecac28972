package dev.sro.core.manifest;

import dev.sro.api.ClusterFacts;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.ObjectRef;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Objects of kinds that the recipe can do without and the cluster does not serve: left out, until it does. Immutable.
 *
 * @param states what is left of the states
 * @param skipped what was left out, in the order of the states
 */
public record OptionalKinds(List<DesiredState> states, List<Skipped> skipped) {

    /** Nothing, of nothing. */
    public static final OptionalKinds NONE = new OptionalKinds(List.of(), List.of());

    /**
     * An object that is left out.
     *
     * @param desired the object
     * @param kind its {@code group/version/Kind}
     */
    public record Skipped(Desired desired, String kind) {}

    /** Copies what is skipped; the states are not handed out for change, and stay the same list where nothing is. */
    public OptionalKinds {
        skipped = List.copyOf(skipped);
    }

    /**
     * Looks through the objects of states.
     *
     * @param optional resources as {@code plural.group}
     * @param cluster says what is served
     */
    public static OptionalKinds of(List<DesiredState> states, Set<String> optional, ClusterFacts cluster) {
        if (optional.isEmpty()) {
            return new OptionalKinds(states, List.of());
        }
        List<DesiredState> left = new ArrayList<>();
        List<Skipped> skipped = new ArrayList<>();
        for (DesiredState state : states) {
            Filter filter = new Filter(optional, cluster);
            List<Desired> shared = filter.of(state.shared());
            Map<String, List<Desired>> byPool = new HashMap<>();
            new TreeSet<>(state.byPool().keySet())
                    .forEach(pool -> byPool.put(pool, filter.of(state.byPool().getOrDefault(pool, List.of()))));
            left.add(filter.skipped.isEmpty() ? state : state.with(shared, byPool, state.problems()));
            skipped.addAll(filter.skipped);
        }
        return skipped.isEmpty() ? new OptionalKinds(states, List.of()) : new OptionalKinds(left, skipped);
    }

    /** The kinds that are left out, {@code group/version/Kind}. */
    public SortedSet<String> kinds() {
        SortedSet<String> kinds = new TreeSet<>();
        skipped.forEach(one -> kinds.add(one.kind()));
        return kinds;
    }

    /** Without objects of these kinds: what cannot be seen for lack of its API is neither there nor unwanted. */
    public Map<ObjectRef, KubeObject> hiding(Map<ObjectRef, KubeObject> owned) {
        if (skipped.isEmpty()) {
            return owned;
        }
        Set<String> kinds = kinds();
        Map<ObjectRef, KubeObject> left = new HashMap<>(owned);
        left.keySet().removeIf(ref -> kinds.contains(ref.kindKey()));
        return left;
    }

    /** Whether a kind that is not served, whose plural nobody can say for sure, is one of these resources. */
    static boolean isOneOf(Set<String> resources, String apiVersion, String kind) {
        int slash = apiVersion.indexOf('/');
        String group = slash < 0 ? "" : "." + apiVersion.substring(0, slash);
        return plurals(kind).stream().anyMatch(plural -> resources.contains(plural + group));
    }

    /** As the API machinery of Kubernetes guesses them, and kinds that are plurals themselves. */
    private static Collection<String> plurals(String kind) {
        String singular = kind.toLowerCase(Locale.ROOT);
        return singular.endsWith("y")
                ? List.of(singular.substring(0, singular.length() - 1) + "ies", singular + "s", singular)
                : List.of(singular + "s", singular + "es", singular);
    }

    /** Goes through the objects of one state. */
    private static final class Filter {
        private final Set<String> optional;
        private final ClusterFacts cluster;
        private final List<Skipped> skipped = new ArrayList<>();

        Filter(Set<String> optional, ClusterFacts cluster) {
            this.optional = optional;
            this.cluster = cluster;
        }

        List<Desired> of(List<Desired> objects) {
            List<Desired> left = new ArrayList<>(objects.size());
            for (Desired desired : objects) {
                String apiVersion = desired.object().ref().apiVersion();
                String kind = desired.object().ref().kind();
                if (!cluster.serves(apiVersion, kind) && isOneOf(optional, apiVersion, kind)) {
                    skipped.add(new Skipped(desired, desired.object().ref().kindKey()));
                } else {
                    left.add(desired);
                }
            }
            return left;
        }
    }
}
