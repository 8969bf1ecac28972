package dev.sro.core.slicing;

import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.catalogue.ValueStyle;
import java.util.Map;
import org.immutables.value.Value;

/** A device whose slices are handed out. Immutable. */
@Value.Immutable
@ValueStyle
public interface SliceDevice {
    /** Unique name, such as the UUID of a GPU. */
    String id();

    /** The model of the device. Devices of equal models form one pool. */
    DeviceModel model();

    /** The node that carries the device; empty where there are no nodes. */
    @Value.Default
    default String node() {
        return "";
    }

    /** Labels that requests can ask for. */
    Map<String, String> labels();

    /** Devices that are close to each other have the same group (an NVLink island, a rack); empty for none. */
    @Value.Default
    default String topologyGroup() {
        return "";
    }

    /** Whether the device takes nothing new; what it carries stays. */
    @Value.Default
    default boolean cordoned() {
        return false;
    }

    /** A device with nothing but a name, a model and a node. */
    static SliceDevice of(String id, DeviceModel model, String node) {
        return builder().id(id).model(model).node(node).build();
    }

    /** A builder with nothing set. */
    static Builder builder() {
        return new Builder();
    }

    /** Builds {@link SliceDevice}s; not thread-safe. */
    final class Builder extends ImmutableSliceDevice.Builder {
        Builder() {}
    }
}
