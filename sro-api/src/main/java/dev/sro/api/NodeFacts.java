package dev.sro.api;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.immutables.value.Value;

/**
 * The facts that SRO knows of one node: a small projection of the Node object, so that an event that changes nothing in it means
 * no work. Immutable.
 *
 * @since 0.1.0
 */
@Value.Immutable
@ValueStyle
public abstract class NodeFacts {

    NodeFacts() {}

    /** Name of the Node object. */
    public abstract String name();

    /** The running kernel. */
    public abstract KernelVersion kernel();

    /** The operating system. */
    public abstract OsRelease os();

    /** Architecture as Kubernetes names it ({@code kubernetes.io/arch}): {@code amd64}, {@code arm64}. */
    public abstract String architecture();

    /** All labels of the node. */
    public abstract Map<String, String> labels();

    /**
     * Features of the node from Node Feature Discovery beside its labels, in the form of labels: {@code NodeFeature} objects, which come
     * before the labels and name all devices. Empty where there are none.
     */
    public abstract Map<String, String> features();

    /** Taints that keep pods off, as {@code key=value:Effect}. */
    public abstract List<String> taints();

    /** False while the kubelet does not report Ready. */
    @Value.Default
    public boolean ready() {
        return true;
    }

    /** True while the node is cordoned. */
    @Value.Default
    public boolean unschedulable() {
        return false;
    }

    /** Changes with each boot; empty when unknown. */
    @Value.Default
    public String bootId() {
        return "";
    }

    /**
     * Allocatable amounts by resource name, as Kubernetes quantities in their text form. A kubelet measures {@code memory} and
     * {@code ephemeral-storage} anew from time to time: a change of these alone is no reason to look, and is seen at the next one.
     */
    public abstract Map<String, String> allocatable();

    /** The PCI devices that labels and features tell of; see {@link PciDevice#of}. */
    public final List<PciDevice> pciDevices() {
        if (features().isEmpty()) {
            return PciDevice.of(labels());
        }
        Map<String, String> all = new HashMap<>(features());
        all.putAll(labels());
        return PciDevice.of(all);
    }

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** Builds {@link NodeFacts}. Not thread-safe. */
    public static final class Builder extends ImmutableNodeFacts.Builder {
        Builder() {}
    }
}
