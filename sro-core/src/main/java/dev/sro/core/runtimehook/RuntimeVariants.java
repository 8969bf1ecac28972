package dev.sro.core.runtimehook;

import dev.sro.api.NodeFacts;
import dev.sro.api.device.RuntimeConfiguration;
import dev.sro.core.recipe.Recipe;
import dev.sro.core.recipe.RecipeFailure;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which of the nodes of a special resource gets which variant. Keeps what can be made again, so that unchanged answers cost nothing;
 * confined to the worker of that special resource.
 */
public final class RuntimeVariants {

    private static final String NRI =
            "the plugin needs the Node Resource Interface, which SRO does not enable; see to it that the"
                    + " container runtimes of the nodes have it";

    /**
     * What comes of the answers about all nodes.
     *
     * @param state to render; empty where the recipe has no say in container runtimes
     * @param labels of all nodes: what was given, and the label of the variant
     * @param warnings for the user
     */
    public record VariantAssignment(
            Optional<RuntimeState> state, Map<String, Map<String, String>> labels, List<String> warnings) {}

    private record CachedVariant(RuntimeConfiguration from, RuntimeVariant variant, String digest) {}

    private record CachedLabels(@Nullable Map<String, String> given, String digest, Map<String, String> labels) {}

    private Map<RuntimeConfiguration, CachedVariant> made = new HashMap<>();
    private IdentityHashMap<RuntimeConfiguration, CachedVariant> same = new IdentityHashMap<>();
    private Map<String, CachedLabels> merged = new HashMap<>();

    /**
     * Asks the recipe about nodes.
     *
     * @param specialResource its name
     * @param image whose shell places files
     * @param nodes that are served
     * @param labels that the recipe wants on nodes, by node name; where the label of a variant is among them, the node keeps the variant
     * @throws RecipeFailure if there is no answer
     */
    public VariantAssignment prepare(
            String specialResource,
            String image,
            Recipe recipe,
            Collection<NodeFacts> nodes,
            Map<String, Map<String, String>> labels) {
        if (!recipe.hasRuntime()) {
            made = new HashMap<>();
            same = new IdentityHashMap<>();
            merged = new HashMap<>();
            return new VariantAssignment(Optional.empty(), labels, List.of());
        }
        Pass pass = new Pass(RuntimeState.label(specialResource), labels);
        Map<String, RuntimeConfiguration> answers = recipe.runtime(nodes);
        for (NodeFacts node : nodes) {
            RuntimeConfiguration said = answers.get(node.name());
            if (said != null) {
                pass.take(node.name(), said);
            }
        }
        made = pass.made;
        same = pass.same;
        merged = pass.merged;
        return new VariantAssignment(
                Optional.of(RuntimeState.of(pass.variants, pass.classes, image)),
                pass.labels,
                pass.nri ? List.of(NRI) : List.of());
    }

    /** One look at all nodes. */
    private final class Pass {
        private final String key;
        private final Map<String, Map<String, String>> given;
        private final Map<String, Map<String, String>> labels;
        private final Map<String, CachedVariant> known = new HashMap<>();
        private final SortedMap<String, RuntimeVariant> variants = new TreeMap<>();
        private final Map<String, SortedSet<String>> classes = new TreeMap<>();
        private final Map<RuntimeConfiguration, CachedVariant> made = new HashMap<>();
        private final IdentityHashMap<RuntimeConfiguration, CachedVariant> same = new IdentityHashMap<>();
        private final Map<String, CachedLabels> merged = new HashMap<>();
        private boolean nri;

        Pass(String key, Map<String, Map<String, String>> given) {
            this.key = key;
            this.given = given;
            this.labels = new HashMap<>(given);
            RuntimeVariants.this.made.values().forEach(one -> known.put(one.digest, one));
        }

        void take(String node, RuntimeConfiguration said) {
            Map<String, String> before = given.get(node);
            // Of a node that holds a variant it is not known what it has: its labels are gone for the moment.
            String held = before == null ? null : before.get(key);
            CachedVariant own = made(said);
            CachedVariant kept = held == null ? own : known.getOrDefault(held, own);
            made.putIfAbsent(kept.from, kept);
            if (!kept.variant.files().isEmpty()) {
                variants.put(kept.digest, kept.variant);
                CachedLabels now = merged(node, before, key, kept.digest);
                merged.put(node, now);
                labels.put(node, now.labels);
            }
        }

        private CachedVariant made(RuntimeConfiguration said) {
            CachedVariant now = same.get(said);
            if (now != null) {
                return now;
            }
            now = RuntimeVariants.this.same.get(said);
            if (now == null) {
                now = made.get(said);
            }
            if (now == null) {
                now = RuntimeVariants.this.made.get(said);
            }
            if (now == null) {
                RuntimeVariant variant = RuntimeVariant.of(said);
                now = new CachedVariant(said, variant, variant.digest());
            }
            same.put(said, now);
            if (made.put(now.from, now) == null) {
                nri |= said.nri();
                said.runtimeClasses()
                        .forEach((name, handler) -> classes.computeIfAbsent(name, unused -> new TreeSet<>())
                                .add(handler));
            }
            return now;
        }
    }

    /** The very same map as long as nothing changes: nodes with the same labels are passed over. */
    // Identity is the point.
    @SuppressWarnings("ReferenceEquality")
    private CachedLabels merged(String node, @Nullable Map<String, String> given, String key, String digest) {
        CachedLabels before = merged.get(node);
        if (before != null && before.given == given && before.digest.equals(digest)) {
            return before;
        }
        Map<String, String> labels = new HashMap<>(given == null ? Map.of() : given);
        labels.put(key, digest);
        return new CachedLabels(given, digest, Map.copyOf(labels));
    }
}
