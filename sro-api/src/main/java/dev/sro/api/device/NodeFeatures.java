package dev.sro.api.device;

import dev.sro.api.Checks;
import java.util.Map;
import org.immutables.value.Value;

/** What a node can do, beyond labels. Immutable. */
@Value.Immutable
@ValueStyle
public abstract class NodeFeatures {

    NodeFeatures() {}

    /** Amounts that the node offers without a device plugin, by resource name. */
    public abstract Map<String, String> extendedResources();

    /** Attributes for a NodeFeature object of NFD, by feature and key: {@code vendor.firmware} and {@code version}. */
    public abstract Map<String, Map<String, String>> attributes();

    @Value.Check
    void check() {
        extendedResources().forEach((name, amount) -> {
            Checks.ownedName("NodeFeatures.extendedResources", name);
            Checks.quantity("NodeFeatures.extendedResources[" + name + "]", amount);
        });
        attributes()
                .keySet()
                .forEach(name -> Checks.require(
                        name.matches("[a-z0-9_-]+\\.[a-z0-9_.-]+"),
                        "NodeFeatures.attributes",
                        "\"" + name + "\" must be domain.feature, as NFD names features"));
    }

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** Builds {@link NodeFeatures}. Not thread-safe. */
    public static final class Builder extends ImmutableNodeFeatures.Builder {
        Builder() {}
    }
}
