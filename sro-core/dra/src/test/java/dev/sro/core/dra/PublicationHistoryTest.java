package dev.sro.core.dra;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.geometry.Geometry;
import io.fabric8.kubernetes.api.model.resource.v1.Device;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random histories of a node: claims come and go, GPUs are lost and come back, others make slices, GPUs fall ill and are closed, some writes
 * are late. A scheduler that knows the published slices alone never gives a place twice, and nothing that a claim has is left out or changed.
 */
class PublicationHistoryTest {
    private static final int STEPS = 40;

    private static final List<String> MODELS =
            List.of("A100-40GB", "A30-24GB", "RTXPRO5000-48GB-r580", "Thor-iGPU", "MI300A");

    private final Map<String, DraGpu> gpus = new LinkedHashMap<>();
    private final Set<String> present = new TreeSet<>();
    private final Map<String, Device> allocated = new TreeMap<>();
    private Random random = new Random();
    private DraPublisher publisher = DraPublisher.of(DraOptions.of(new DraServer(36, 3)));
    private Map<String, ResourceSlice> server = new TreeMap<>();
    private final Map<DeviceModel, Geometry> geometries = new HashMap<>();

    @ParameterizedTest
    @ValueSource(ints = {34, 35, 36, 37})
    void aDeviceThatAClaimHasIsNeverLeftOutOrChangedAndNoPlaceIsGivenTwice(int minor) {
        play(minor, 0, 6);
    }

    /** More: {@code -Dsro.publication.histories=25000}, of each minor version; {@code -Dsro.publication.first=N} for others. */
    @Tag("slow")
    @ParameterizedTest
    @ValueSource(ints = {34, 35, 36, 37})
    void manyHistories(int minor) {
        play(
                minor,
                Integer.getInteger("sro.publication.first", 1000),
                Integer.getInteger("sro.publication.histories", 25));
    }

    private void play(int minor, int first, int histories) {
        publisher = DraPublisher.of(DraOptions.of(new DraServer(minor, 2)));
        int granted = 0;
        for (int seed = first; seed < first + histories; seed++) {
            random = new Random(seed);
            start();
            for (int step = 0; step < STEPS; step++) {
                granted += random.nextInt(3) > 0 ? claim() : 0;
                if (random.nextInt(3) == 0) {
                    release();
                }
                if (random.nextInt(4) == 0) {
                    hardware();
                }
                publish();
                judge(seed + "/" + step);
            }
        }
        assertThat(granted).isGreaterThan(5 * histories);
    }

    private void start() {
        gpus.clear();
        present.clear();
        allocated.clear();
        server = new TreeMap<>();
        for (int i = 0; i < 3; i++) {
            DeviceModel model = Catalogue.builtin().model(MODELS.get(random.nextInt(MODELS.size())));
            String address = String.format("0000:%02x:00.0", i);
            gpus.put(address, DraGpu.builder().pciAddress(address).model(model).build());
            present.add(address);
        }
        publish();
    }

    private int claim() {
        List<String> profiles = new ArrayList<>();
        gpus.values()
                .forEach(gpu -> gpu.model()
                        .ifPresent(model -> model.profiles().forEach(profile -> profiles.add(profile.name()))));
        Optional<Device> found = new Scheduler(List.copyOf(server.values()))
                .allocate(
                        random.nextInt(20) == 0
                                ? Scheduler.whole()
                                : Scheduler.profile(profiles.get(random.nextInt(profiles.size()))),
                        allocated.keySet());
        found.ifPresent(device -> allocated.put(device.getName(), device));
        return found.isPresent() ? 1 : 0;
    }

    /** A claim that is allocated by what was published before; empty where the node would refuse to prepare it. */
    private Optional<Device> claimMeanwhile() {
        Set<String> before = Set.copyOf(allocated.keySet());
        claim();
        Optional<Device> found = allocated.values().stream()
                .filter(device -> !before.contains(device.getName()))
                .findFirst();
        boolean prepared = found.stream().allMatch(device -> {
            DraGpu gpu = gpus.values().stream()
                    .filter(each -> PublishedPool.gpu(device).equals(publisher.deviceName(each)))
                    .findFirst()
                    .orElseThrow();
            boolean whole = allocated.containsKey(publisher.deviceName(gpu));
            return present.contains(gpu.pciAddress())
                    && (whole ? gpu.obstacles().isEmpty() : geometry(gpu).layoutOf(held(gpu)) >= 0);
        });
        if (!prepared) {
            found.ifPresent(device -> allocated.remove(device.getName()));
        }
        return prepared ? found : Optional.empty();
    }

    private void release() {
        if (!allocated.isEmpty()) {
            List<String> names = List.copyOf(allocated.keySet());
            allocated.remove(names.get(random.nextInt(names.size())));
        }
    }

    /** Something happens to a GPU; what others make goes where nothing is, as on hardware. */
    private void hardware() {
        List<String> addresses = List.copyOf(gpus.keySet());
        String address = addresses.get(random.nextInt(addresses.size()));
        DraGpu gpu = Objects.requireNonNull(gpus.get(address));
        switch (random.nextInt(5)) {
            case 0 -> {
                if (!present.remove(address)) {
                    present.add(address);
                }
            }
            case 1 ->
                gpus.put(
                        address,
                        DraGpu.builder()
                                .from(gpu)
                                .closed(Optional.of("cordoned")
                                        .filter(any -> gpu.closed().isEmpty()))
                                .build());
            case 2 ->
                gpus.put(
                        address,
                        DraGpu.builder()
                                .from(gpu)
                                .faults(gpu.faults().isEmpty() ? Map.of("xid-79", "") : Map.of())
                                .build());
            case 3 ->
                gpus.put(
                        address, DraGpu.builder().from(gpu).obstacles(List.of()).build());
            default -> obstacle(gpu);
        }
    }

    private void obstacle(DraGpu gpu) {
        Geometry geometry = geometry(gpu);
        long held = held(gpu);
        int placement = random.nextInt(geometry.placements());
        if (held >= 0 && geometry.layoutOf(held | 1L << placement) >= 0 && (held >>> placement & 1) == 0) {
            gpus.put(
                    gpu.pciAddress(),
                    DraGpu.builder()
                            .from(gpu)
                            .addObstacles(DraObstacle.slice(
                                    geometry.profile(geometry.profileOf(placement))
                                            .name(),
                                    geometry.startOf(placement)))
                            .build());
        }
    }

    private Geometry geometry(DraGpu gpu) {
        return geometries.computeIfAbsent(gpu.model().orElseThrow(), Geometry::of);
    }

    /** What is on a GPU by claims and others, as a bit set; -1 if a claim has the whole. */
    private long held(DraGpu gpu) {
        Geometry geometry = geometry(gpu);
        long held = 0;
        for (String name : allocated.keySet()) {
            DraDevice device = publisher.device(node(gpus.keySet()), name).orElseThrow();
            if (device.pciAddress().equals(gpu.pciAddress())) {
                if (device.whole()) {
                    return -1;
                }
                held |= 1L << geometry.placement(geometry.model().indexOf(device.profile()), device.start());
            }
        }
        for (DraObstacle obstacle : gpu.obstacles()) {
            held |= 1L << geometry.placement(geometry.model().indexOf(obstacle.profile()), obstacle.start());
        }
        return held;
    }

    private DraNode node(Set<String> addresses) {
        return DraNode.builder()
                .name("n1")
                .gpus(gpus.values().stream()
                        .filter(gpu -> addresses.contains(gpu.pciAddress()))
                        .toList())
                .build();
    }

    /** Writes what is to be written; of what stands alone sometimes only a part, as if the rest came later. */
    private void publish() {
        DraPublication publication =
                publisher.publish(node(present), allocated.keySet(), List.copyOf(server.values()), details());
        Optional<Device> meanwhile = random.nextInt(4) == 0 ? claimMeanwhile() : Optional.empty();
        boolean late = publication.change() == DraPublication.Change.ORDER && random.nextInt(3) == 0;
        publication.create().forEach(slice -> server.put(slice.getMetadata().getName(), slice));
        publication.update().stream()
                .filter(slice -> !late || random.nextBoolean())
                .forEach(slice -> server.put(slice.getMetadata().getName(), slice));
        publication.delete().forEach(server::remove);
        // It was changed before anybody knew that it is allocated, but never in what it takes.
        meanwhile.ifPresent(device -> {
            Device now = new Scheduler(List.copyOf(server.values()))
                    .device(device.getName())
                    .orElseThrow();
            assertThat(now.getConsumesCounters()).isEqualTo(device.getConsumesCounters());
            allocated.put(device.getName(), now);
        });
        if (meanwhile.isEmpty() && !late) {
            assertThat(publisher
                            .publish(node(present), allocated.keySet(), List.copyOf(server.values()))
                            .writes())
                    .isZero();
        }
    }

    private Set<DraDetail> details() {
        Set<DraDetail> details = EnumSet.noneOf(DraDetail.class);
        if (random.nextInt(10) == 0) {
            details.add(DraDetail.GPU_ORDER);
        }
        if (random.nextBoolean()) {
            details.add(DraDetail.LOSS_CLASSES);
        }
        return details;
    }

    private void judge(String where) {
        Scheduler scheduler = new Scheduler(List.copyOf(server.values()));
        allocated.forEach(
                (name, device) -> assertThat(scheduler.device(name)).as(where).contains(device));
        assertThat(scheduler.devices()).as(where).extracting(Device::getName).doesNotHaveDuplicates();
        for (DraGpu gpu : gpus.values()) {
            long held = held(gpu);
            boolean whole = allocated.containsKey(publisher.deviceName(gpu));
            assertThat(whole ? gpu.obstacles().isEmpty() : geometry(gpu).layoutOf(held) >= 0)
                    .as(where + " " + gpu.pciAddress())
                    .isTrue();
            assertThat(!whole
                            || allocated.keySet().stream()
                                    .noneMatch(name -> name.startsWith(publisher.deviceName(gpu) + "-")))
                    .as(where)
                    .isTrue();
        }
    }
}
