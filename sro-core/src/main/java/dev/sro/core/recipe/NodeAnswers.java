package dev.sro.core.recipe;

import dev.sro.api.DeviceMatcher;
import dev.sro.api.device.Handover;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * What a plugin says of one node. Immutable.
 *
 * @param presence whether the device is there
 * @param poolKey what it adds to the node's pool key
 * @param labels node labels that its operands need, or that stay where the device is not any more
 * @param handover to which other way of offering the devices the node goes over, if it does
 */
public record NodeAnswers(
        DeviceMatcher.Presence presence,
        Map<String, String> poolKey,
        Map<String, String> labels,
        Optional<Handover> handover) {

    /** Of a plugin that has nothing to say about nodes. */
    static final NodeAnswers DEFAULT = new NodeAnswers(DeviceMatcher.Presence.PRESENT, Map.of(), Map.of());

    /** Copies the maps. */
    public NodeAnswers {
        Objects.requireNonNull(presence, "presence");
        poolKey = Map.copyOf(poolKey);
        labels = Map.copyOf(labels);
        Objects.requireNonNull(handover, "handover");
    }

    /** Of a node that stays as it is. */
    public NodeAnswers(DeviceMatcher.Presence presence, Map<String, String> poolKey, Map<String, String> labels) {
        this(presence, poolKey, labels, Optional.empty());
    }
}
