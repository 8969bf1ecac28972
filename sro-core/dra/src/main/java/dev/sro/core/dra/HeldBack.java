package dev.sro.core.dra;

import dev.sro.core.slicing.geometry.Geometry;
import io.fabric8.kubernetes.api.model.resource.v1.Device;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which refusals are explained by the units of a GPU that are held back: those of layouts that need such a unit, and those of layouts that no GPU
 * carries beside what may sit there, as far as that takes what is missing. For one GPU.
 */
final class HeldBack {
    private final AuditedGpu gpu;
    private final Geometry geometry;
    private final int units;
    /** Of each counter, what a GPU of which nothing is held back has at least. */
    private final Map<String, Long> whole = new HashMap<>();
    /** Layouts of nothing but units that are held back. */
    private final List<Long> foreign = new ArrayList<>();

    HeldBack(AuditedGpu gpu) {
        this.gpu = gpu;
        this.geometry = gpu.geometry();
        this.units = gpu.heldBack();
        if (units == 0) {
            return;
        }
        gpu.whole().forEach(device -> atLeast(AuditedGpu.use(device)));
        for (int layout = 0; layout < geometry.layouts(); layout++) {
            long set = geometry.placementsOf(layout);
            if ((set & ~gpu.offered()) == 0) {
                atLeast(use(set));
                if (set != 0 && (window(set) & ~units) == 0) {
                    foreign.add(set);
                }
            }
        }
    }

    private void atLeast(Map<String, Long> use) {
        use.forEach((counter, amount) -> whole.merge(counter, amount, Math::max));
    }

    private Map<String, Long> use(long set) {
        Map<String, Long> use = new HashMap<>();
        for (Device device : gpu.devices(set)) {
            AuditedGpu.use(device).forEach((counter, amount) -> use.merge(counter, amount, Long::sum));
        }
        return use;
    }

    private int window(long set) {
        int window = 0;
        for (long rest = set; rest != 0; rest &= rest - 1) {
            window |= geometry.windowOf(Long.numberOfTrailingZeros(rest));
        }
        return window;
    }

    /**
     * Whether what is held back explains that a legal layout is refused.
     *
     * @param left what the layout leaves of each counter, negative of one at least
     */
    boolean explains(int layout, Map<String, Long> left) {
        if ((window(geometry.placementsOf(layout)) & units) != 0) {
            return true;
        }
        return foreign.stream().anyMatch(set -> !legal(layout, set) && takes(set, left));
    }

    private boolean legal(int layout, long more) {
        int now = layout;
        for (long rest = more; rest != 0 && now != Geometry.ILLEGAL; rest &= rest - 1) {
            now = geometry.toggle(now, Long.numberOfTrailingZeros(rest));
        }
        return now != Geometry.ILLEGAL;
    }

    private boolean takes(long set, Map<String, Long> left) {
        Map<String, Long> use = use(set);
        return left.entrySet().stream()
                .filter(rest -> rest.getValue() < 0)
                .allMatch(rest -> whole.getOrDefault(rest.getKey(), 0L) - use.getOrDefault(rest.getKey(), 0L)
                        <= gpu.capacity().getOrDefault(rest.getKey(), 0L));
    }
}
