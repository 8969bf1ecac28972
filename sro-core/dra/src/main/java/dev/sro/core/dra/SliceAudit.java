package dev.sro.core.dra;

import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.geometry.Geometry;
import io.fabric8.kubernetes.api.model.resource.v1.Device;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Holds anybody's ResourceSlices against a catalogue: whether their counters admit exactly what the hardware can carry. Every legal layout of
 * what is offered is looked at, with every step out of it. Stateless.
 */
public final class SliceAudit {
    /** What is wrong. */
    public enum Kind {
        /** Counters admit devices together that the GPU cannot carry: a claim is allocated and cannot be prepared. */
        ADMITTED,
        /** Counters refuse devices together that the GPU can carry: a claim waits in vain. */
        REFUSED,
        /** A placement that the hardware has is not listed. */
        NOT_OFFERED,
        /** A device is listed that the hardware does not have. */
        NO_SUCH_PLACEMENT,
        /** The pool as such: numbers, names, limits, counters that are not there. */
        POOL,
        /** Not wrong, but good to know. */
        NOTE
    }

    /**
     * One finding.
     *
     * @param where driver, pool and counter set
     * @param devices names of the devices concerned, a smallest set of them
     */
    public record Finding(Kind kind, String where, String text, List<String> devices) {
        /** Copies the list. */
        public Finding {
            devices = List.copyOf(devices);
        }

        @Override
        public String toString() {
            return where + ": " + text;
        }
    }

    /**
     * What came out.
     *
     * @param findings in the order of pools and GPUs
     * @param gpus how many GPUs were looked at
     * @param layouts how many legal layouts were looked at, over all GPUs
     */
    public record Report(List<Finding> findings, int gpus, long layouts) {
        /** Copies the list. */
        public Report {
            findings = List.copyOf(findings);
        }

        /** Whether nothing is wrong. */
        public boolean clean() {
            return findings.stream().allMatch(finding -> finding.kind() == Kind.NOTE);
        }
    }

    private final DraServer server;
    private final SliceReader reader;
    private final List<Finding> findings = new ArrayList<>();
    private int count;
    private long layouts;

    private SliceAudit(DraServer server, SliceReader reader) {
        this.server = server;
        this.reader = reader;
    }

    /**
     * Looks at slices.
     *
     * @param model what all GPUs are; empty to take it from attributes and profiles
     * @param server whose limits hold
     */
    public static Report audit(
            List<ResourceSlice> slices, Catalogue catalogue, Optional<DeviceModel> model, DraServer server) {
        SliceReader reader = new SliceReader(catalogue, model);
        SliceAudit audit = new SliceAudit(server, reader);
        SliceReader.pools(slices).forEach(audit::pool);
        reader.unknown()
                .forEach(gpu -> audit.add(
                        Kind.NOTE, gpu, "no model of the catalogue has these profiles; say which it is", List.of()));
        return new Report(audit.findings, audit.count, audit.layouts);
    }

    private void add(Kind kind, String where, String text, List<Device> devices) {
        findings.add(new Finding(
                kind, where, text, devices.stream().map(Device::getName).toList()));
    }

    private void pool(String pool, List<ResourceSlice> all) {
        List<ResourceSlice> slices = SliceReader.newest(all);
        if (slices.size() < all.size()) {
            add(Kind.NOTE, pool, (all.size() - slices.size()) + " slices of older generations are left", List.of());
        }
        for (ResourceSlice slice : slices) {
            long said = slice.getSpec().getPool().getResourceSliceCount();
            if (said != slices.size()) {
                add(
                        Kind.POOL,
                        pool,
                        "slice " + slice.getMetadata().getName() + " says that there are " + said + " slices, but "
                                + slices.size() + " are there: the scheduler takes nothing of the pool",
                        List.of());
            }
        }
        DraLimits.exceeded(server, slices).forEach(text -> add(Kind.POOL, pool, text, List.of()));
        Set<String> names = new HashSet<>();
        for (ResourceSlice slice : slices) {
            for (Device device : slice.getSpec().getDevices()) {
                if (!names.add(device.getName())) {
                    add(Kind.POOL, pool, "device " + device.getName() + " is there twice", List.of(device));
                }
                if (device.getConsumesCounters().isEmpty()
                        && SliceReader.text(device, DeviceFactory.PROFILE).isPresent()) {
                    add(
                            Kind.POOL,
                            pool,
                            "device " + device.getName()
                                    + " consumes no counters: nothing keeps it from overlapping others",
                            List.of(device));
                }
            }
        }
        reader.gpus(pool, slices).forEach(this::gpu);
    }

    private void gpu(AuditedGpu gpu) {
        count++;
        gpu.strange()
                .forEach(device -> add(
                        Kind.NO_SUCH_PLACEMENT,
                        gpu.name(),
                        "device " + device.getName() + " is no placement of "
                                + gpu.geometry().model().key(),
                        List.of(device)));
        for (Device device : all(gpu)) {
            List<String> missing = AuditedGpu.use(device).keySet().stream()
                    .filter(counter -> !gpu.capacity().containsKey(counter))
                    .toList();
            if (!missing.isEmpty()) {
                add(
                        Kind.POOL,
                        gpu.name(),
                        "device " + device.getName() + " consumes " + String.join(", ", missing)
                                + ", which the pool does not have",
                        List.of(device));
                return;
            }
        }
        offered(gpu);
        layouts(gpu);
        pairs(gpu);
    }

    private static List<Device> all(AuditedGpu gpu) {
        List<Device> all = new ArrayList<>(gpu.whole());
        gpu.placements().values().forEach(all::addAll);
        return all;
    }

    private void offered(AuditedGpu gpu) {
        long every = gpu.geometry().addable(0);
        long missing = every & ~gpu.offered();
        if (missing != 0) {
            add(
                    Kind.NOT_OFFERED,
                    gpu.name(),
                    "not listed: " + SharedCounters.describe(gpu.geometry(), missing),
                    List.of());
        }
    }

    private void layouts(AuditedGpu gpu) {
        Geometry geometry = gpu.geometry();
        HeldBack held = new HeldBack(gpu);
        long offered = gpu.offered();
        long refused = 0;
        long explained = 0;
        long admitted = 0;
        for (int layout = 0; layout < geometry.layouts(); layout++) {
            long set = geometry.placementsOf(layout);
            if ((set & ~offered) != 0) {
                continue;
            }
            layouts++;
            Map<String, Long> left = gpu.left(gpu.devices(set));
            if (left.values().stream().anyMatch(rest -> rest < 0)) {
                if (held.explains(layout, left)) {
                    explained = smaller(explained, set);
                } else {
                    refused = smaller(refused, set);
                }
                continue;
            }
            for (long rest = offered & ~set; rest != 0; rest &= rest - 1) {
                int placement = Long.numberOfTrailingZeros(rest);
                if (geometry.toggle(layout, placement) == Geometry.ILLEGAL && fits(gpu, left, placement)) {
                    admitted = smaller(admitted, set | 1L << placement);
                }
            }
        }
        if (admitted != 0) {
            add(Kind.ADMITTED, gpu.name(), "wrongly admitted: " + text(gpu, admitted), gpu.devices(admitted));
        }
        if (refused != 0) {
            add(Kind.REFUSED, gpu.name(), "wrongly refused: " + text(gpu, refused), gpu.devices(refused));
        }
        if (explained != 0) {
            add(
                    Kind.NOTE,
                    gpu.name(),
                    "parts of the GPU are held back, so that is refused: " + text(gpu, explained),
                    gpu.devices(explained));
        }
    }

    private static long smaller(long found, long set) {
        return found == 0 || Long.bitCount(set) < Long.bitCount(found) ? set : found;
    }

    private static boolean fits(AuditedGpu gpu, Map<String, Long> left, int placement) {
        Device device = gpu.placements().getOrDefault(placement, List.of()).get(0);
        return AuditedGpu.use(device).entrySet().stream()
                .allMatch(use -> use.getValue() <= left.getOrDefault(use.getKey(), 0L));
    }

    private static String text(AuditedGpu gpu, long set) {
        return SharedCounters.describe(gpu.geometry(), set) + " ("
                + gpu.devices(set).stream().map(Device::getName).collect(Collectors.joining(", ")) + ")";
    }

    /** The whole GPU beside anything, and the same placement twice. */
    private void pairs(AuditedGpu gpu) {
        List<Device> slices = gpu.placements().values().stream()
                .map(devices -> devices.get(0))
                .sorted(Comparator.comparing(Device::getName))
                .toList();
        for (Device whole : gpu.whole()) {
            slices.stream()
                    .filter(slice -> gpu.admits(List.of(whole, slice)))
                    .findFirst()
                    .ifPresent(slice -> add(
                            Kind.ADMITTED,
                            gpu.name(),
                            "wrongly admitted: the whole GPU beside a slice (" + whole.getName() + ", "
                                    + slice.getName() + ")",
                            List.of(whole, slice)));
            if (!gpu.admits(List.of(whole)) && gpu.heldBack() == 0) {
                add(
                        Kind.REFUSED,
                        gpu.name(),
                        "wrongly refused: the whole GPU (" + whole.getName() + ")",
                        List.of(whole));
            }
        }
        gpu.placements().values().stream()
                .filter(same -> same.size() > 1 && gpu.admits(same.subList(0, 2)))
                .forEach(same -> add(
                        Kind.ADMITTED, gpu.name(), "wrongly admitted: the same placement twice", same.subList(0, 2)));
    }
}
