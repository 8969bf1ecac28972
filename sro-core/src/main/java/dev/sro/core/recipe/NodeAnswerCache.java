package dev.sro.core.recipe;

import dev.sro.api.NodeFacts;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** Answers about nodes, kept as long as what is known of the node stays the same. Thread-safe. */
final class NodeAnswerCache<T> {

    private record CachedAnswer<T>(NodeFacts facts, T answer) {}

    private final ConcurrentHashMap<String, CachedAnswer<T>> nodes = new ConcurrentHashMap<>();

    /**
     * The answers by node name. Forgets all other nodes, when it is asked about most of them.
     *
     * @param ask asks about the nodes that are not known, by their names
     */
    // The same object is told without a comparison.
    @SuppressWarnings("ReferenceEquality")
    Map<String, T> of(Collection<NodeFacts> facts, Function<Map<String, NodeFacts>, Map<String, T>> ask) {
        Map<String, T> result = new HashMap<>(facts.size() * 2);
        Map<String, NodeFacts> unknown = new HashMap<>();
        for (NodeFacts node : facts) {
            CachedAnswer<T> known = nodes.get(node.name());
            if (known != null && (known.facts == node || known.facts.equals(node))) {
                result.put(node.name(), known.answer);
            } else {
                unknown.put(node.name(), node);
            }
        }
        if (!unknown.isEmpty()) {
            Map<String, T> fresh = ask.apply(unknown);
            fresh.forEach((name, answer) -> {
                NodeFacts node = unknown.get(name);
                if (node != null) {
                    nodes.put(name, new CachedAnswer<>(node, answer));
                }
            });
            result.putAll(fresh);
            if (2 * facts.size() > nodes.size()) {
                // Who asks about a few has others as well; who asks about most has told of all that are left.
                nodes.keySet().retainAll(result.keySet());
            }
        }
        return result;
    }
}
