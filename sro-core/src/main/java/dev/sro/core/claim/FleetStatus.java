package dev.sro.core.claim;

import dev.sro.core.dra.DraOptions;
import dev.sro.core.dra.NodeMarks;
import dev.sro.core.dra.PublishedFleet;
import dev.sro.core.slicing.SliceAllocator;
import dev.sro.core.slicing.SliceClaim;
import dev.sro.core.slicing.SliceDevice;
import dev.sro.core.slicing.SliceSnapshot;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.geometry.Geometry;
import dev.sro.core.slicing.pack.Feasibility;
import dev.sro.core.slicing.render.DeviceView;
import dev.sro.core.slicing.render.SlicePictures;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Who has what of the GPUs of a cluster, what is free, and who waits. Immutable.
 *
 * @param gpus by node and address
 * @param profiles what there is room for, by model and profile
 * @param waiting explanations of the pods that wait, those of one namespace together
 * @param unknown devices that are no model of the catalogue
 */
public record FleetStatus(
        List<GpuStatus> gpus, List<ProfileStatus> profiles, List<PodExplanation> waiting, List<String> unknown) {
    /**
     * One GPU.
     *
     * @param gpu as it is published
     * @param fits how many more of each profile, one profile at a time
     * @param cordon why people took it out of service; empty if they did not
     */
    public record GpuStatus(PublishedFleet.Gpu gpu, Map<String, Integer> fits, Optional<String> cordon) {
        /** Keeps the order. */
        public GpuStatus {
            fits = Collections.unmodifiableMap(new LinkedHashMap<>(fits));
        }
    }

    /**
     * A profile of a model.
     *
     * @param used slices that claims have
     * @param free slices that could be had now, if nothing else were
     * @param rearranged slices that could be had if all slices on GPUs of the model were put together as well as possible; at least {@code free}
     */
    public record ProfileStatus(String model, String profile, long used, long free, long rearranged) {
        /** The part of what could be had that is out of reach, from 0 to 1. */
        public double fragmentation() {
            return rearranged == 0 ? 0 : 1 - (double) free / rearranged;
        }
    }

    /** Copies the lists. */
    public FleetStatus {
        gpus = List.copyOf(gpus);
        profiles = List.copyOf(profiles);
        waiting = List.copyOf(waiting);
        unknown = List.copyOf(unknown);
    }

    /** The state of a cluster, with explanations of so many waiting pods at most. */
    public static FleetStatus of(ClaimObjects objects, Catalogue catalogue, int mostWaiting) {
        PublishedFleet fleet = PublishedFleet.of(objects.slices(), objects.holders(), catalogue);
        SliceAllocator allocator = fleet.allocator(open(fleet));
        SliceSnapshot snapshot = allocator.snapshot();
        Map<String, Map<String, Integer>> fits = new TreeMap<>();
        for (DeviceView view : SlicePictures.create().views(snapshot)) {
            fits.put(view.name(), view.fits());
        }
        List<GpuStatus> gpus = fleet.gpus().stream()
                .map(gpu -> new GpuStatus(gpu, fits.getOrDefault(gpu.id(), Map.of()), cordon(objects, gpu)))
                .toList();
        PodExplainer explainer = PodExplainer.of(objects, catalogue);
        List<PodExplanation> waiting = objects.pods().stream()
                .filter(FleetStatus::pending)
                .sorted(Comparator.comparing(ClaimObjects::key))
                .limit(mostWaiting)
                .map(explainer::explain)
                .filter(PodExplanation::waits)
                .toList();
        return new FleetStatus(gpus, profiles(gpus, snapshot), waiting, fleet.unknown());
    }

    /** GPUs of which a claim that tolerates nothing can get something. */
    private static Map<String, Map<String, String>> open(PublishedFleet fleet) {
        Map<String, Map<String, String>> open = new TreeMap<>();
        fleet.gpus().stream()
                .filter(gpu -> gpu.uses().size() == gpu.places().size()
                        || gpu.places().stream().anyMatch(place -> free(gpu, place)))
                .forEach(gpu -> open.put(gpu.id(), Map.of()));
        return open;
    }

    private static boolean free(PublishedFleet.Gpu gpu, PublishedFleet.Place place) {
        String name = place.device().getName();
        return gpu.uses().stream().noneMatch(use -> use.device().equals(name))
                && DeviceTaints.against(place.device(), List.of(), DraOptions.allocatorTaint(gpu.driver()))
                        .isEmpty();
    }

    private static Optional<String> cordon(ClaimObjects objects, PublishedFleet.Gpu gpu) {
        return ClaimObjects.find(objects.nodes(), "", gpu.node())
                .map(node -> node.getMetadata().getAnnotations())
                .flatMap(annotations -> NodeMarks.cordoned(annotations, gpu.uuid(), gpu.address()))
                .map(reason -> reason.isEmpty() ? "no reason given" : reason);
    }

    private static boolean pending(Pod pod) {
        return pod.getStatus() == null
                || pod.getStatus().getPhase() == null
                || pod.getStatus().getPhase().equals("Pending");
    }

    private static List<ProfileStatus> profiles(List<GpuStatus> gpus, SliceSnapshot snapshot) {
        Map<String, Map<String, long[]>> byModel = new TreeMap<>();
        for (GpuStatus status : gpus) {
            Map<String, long[]> own =
                    byModel.computeIfAbsent(status.gpu().model().key(), key -> new LinkedHashMap<>());
            status.gpu().model().profiles().forEach(profile -> own.computeIfAbsent(profile.name(), key -> new long[3]));
            status.fits().forEach((profile, count) -> add(own, profile, 1, count));
            status.gpu().uses().forEach(use -> add(own, use.profile(), 0, 1));
        }
        Map<String, String> models = new TreeMap<>();
        gpus.forEach(
                status -> models.put(status.gpu().id(), status.gpu().model().key()));
        rearranged(snapshot, models, byModel);
        List<ProfileStatus> all = new ArrayList<>();
        byModel.forEach((model, own) -> own.forEach((profile, counts) ->
                all.add(new ProfileStatus(model, profile, counts[0], counts[1], Math.max(counts[1], counts[2])))));
        return all;
    }

    private static void add(Map<String, long[]> own, String profile, int column, long more) {
        long[] counts = own.get(profile);
        if (counts != null) {
            counts[column] += more;
        }
    }

    /** GPUs of which the same can be had form a group; what is moved stays in its group. */
    private static void rearranged(
            SliceSnapshot snapshot, Map<String, String> models, Map<String, Map<String, long[]>> byModel) {
        Map<DeviceModel, List<SliceDevice>> groups = new LinkedHashMap<>();
        snapshot.devices()
                .forEach(device -> groups.computeIfAbsent(device.model(), model -> new ArrayList<>())
                        .add(device));
        groups.forEach((model, devices) -> {
            long[] counts = new long[model.profiles().size()];
            for (SliceClaim claim : snapshot.claims()) {
                if (devices.stream().anyMatch(device -> device.id().equals(claim.device()))) {
                    counts[model.indexOf(claim.profile())]++;
                }
            }
            Feasibility feasibility = Feasibility.of(Geometry.of(model));
            Optional.ofNullable(models.get(devices.get(0).id())).ifPresent(key -> {
                Map<String, long[]> own = byModel.getOrDefault(key, Map.of());
                for (int profile = 0; profile < counts.length; profile++) {
                    add(
                            own,
                            model.profiles().get(profile).name(),
                            2,
                            more(feasibility, counts, profile, devices.size()));
                }
            });
        });
    }

    private static long more(Feasibility feasibility, long[] counts, int profile, long devices) {
        long low = 0;
        long high = devices * feasibility.geometry().units() + 1;
        while (high - low > 1) {
            long middle = (low + high) / 2;
            long[] tried = counts.clone();
            tried[profile] += middle;
            if (feasibility.feasible(tried, devices)) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
