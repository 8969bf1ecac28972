package dev.sro.api.device;

import dev.sro.api.NodeFacts;
import dev.sro.api.NotActedOnYet;
import dev.sro.api.RecipeContext;
import java.util.List;

/** Optional for a plugin: says which devices are on a node, beyond whether there is one. */
@NotActedOnYet(until = "write what operands need with NodeClassifier")
public interface DeviceInventory {

    /** The devices on the node, one entry per model. */
    List<DetectedDevice> devices(NodeFacts node, RecipeContext context);
}
