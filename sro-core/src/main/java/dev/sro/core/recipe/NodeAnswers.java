package dev.sro.core.recipe;

import dev.sro.api.DeviceMatcher;
import java.util.Map;
import java.util.Objects;

/**
 * What a plugin says of one node. Immutable.
 *
 * @param presence whether the device is there
 * @param poolKey what it adds to the node's pool key
 * @param labels node labels that its operands need, or that stay where the device is not any more
 */
public record NodeAnswers(DeviceMatcher.Presence presence, Map<String, String> poolKey, Map<String, String> labels) {

    /** Of a plugin that has nothing to say about nodes. */
    static final NodeAnswers DEFAULT = new NodeAnswers(DeviceMatcher.Presence.PRESENT, Map.of(), Map.of());

    /** Copies the maps. */
    public NodeAnswers {
        Objects.requireNonNull(presence, "presence");
        poolKey = Map.copyOf(poolKey);
        labels = Map.copyOf(labels);
    }
}
