package dev.sro.agent.publish;

import dev.sro.agent.device.Gpu;
import dev.sro.agent.device.GpuMode;
import dev.sro.agent.device.ProfileNames;
import dev.sro.agent.node.NodeFacts;
import dev.sro.core.dra.NodeMarks;
import io.fabric8.kubernetes.api.model.resource.v1.Device;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.List;
import java.util.Optional;

/**
 * As what a GPU is listed. Immutable.
 *
 * <p>Devices that are listed are not left out before the GPU was closed for a while: one of them may be given to a claim at this moment.
 *
 * @param listed whether anything of it is listed already
 * @param slices whether its places are to be listed
 * @param whole whether the whole GPU is to be listed
 * @param closed why nothing new of it can be had
 * @param closing whether it is closed to be listed as something else
 */
record GpuView(boolean listed, boolean slices, boolean whole, Optional<String> closed, boolean closing) {
    /** Whether it is worth a place in a slice that it does not have yet. */
    boolean offered() {
        return closed.isEmpty() && (slices || whole);
    }

    static GpuView of(Gpu gpu, NodeFacts facts, List<ResourceSlice> current, boolean closedLong) {
        Optional<NodeMarks.Mode> mode = facts.mode();
        boolean either = mode.equals(Optional.of(NodeMarks.Mode.DYNAMIC));
        boolean switchable = either && !gpu.resetToSwitch();
        boolean wholes = either || mode.equals(Optional.of(NodeMarks.Mode.WHOLE));
        boolean cut = gpu.mode() == GpuMode.SLICES || (switchable && gpu.mode() == GpuMode.WHOLE);
        boolean whole = wholes
                && (gpu.mode() == GpuMode.WHOLE
                        || gpu.mode() == GpuMode.UNABLE
                        || (switchable && gpu.mode() == GpuMode.SLICES));
        String name = ProfileNames.device(gpu.address());
        boolean listedSlices = devices(current).stream().anyMatch(device -> device.startsWith(name + "-"));
        boolean listedWhole = devices(current).contains(name);
        boolean other = !closedLong && ((listedSlices && !cut && whole) || (listedWhole && !whole));
        Optional<String> closed = facts.change(gpu)
                .map(next -> next == GpuMode.SLICES ? "MIG is to be switched on" : "MIG is to be switched off")
                .or(() ->
                        cut || whole ? Optional.empty() : Optional.of(gpu.mode().text()))
                .or(() -> other ? Optional.of("was offered otherwise until now") : Optional.empty());
        return new GpuView(
                listedSlices || listedWhole,
                cut || (listedSlices && (!whole || !closedLong)),
                whole || (listedWhole && !closedLong),
                closed,
                other);
    }

    private static List<String> devices(List<ResourceSlice> current) {
        return current.stream()
                .flatMap(slice -> slice.getSpec().getDevices().stream())
                .map(Device::getName)
                .toList();
    }
}
