package dev.sro.core.dra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.slicing.catalogue.DeviceModel;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.resource.v1.CounterSet;
import io.fabric8.kubernetes.api.model.resource.v1.Device;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceAttributeBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceCapacity;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DraPublisherTest {
    private static final DeviceModel A100 = Catalogue.builtin().model("A100-40GB");
    private static final DraServer NEW = new DraServer(36, 3);
    private static final DraServer UNSAFE = new DraServer(36, 2);

    private static DraGpu gpu(int number, DeviceModel model) {
        return DraGpu.builder()
                .pciAddress(String.format("0000:%02x:00.0", number))
                .model(model)
                .uuid("GPU-" + number)
                .numaNode(number / 4)
                .build();
    }

    private static DraNode node(DraGpu... gpus) {
        return DraNode.builder()
                .name("n1")
                .uid("u1")
                .driverVersion("580.65.06")
                .cudaVersion("13.0")
                .addGpus(gpus)
                .build();
    }

    private static DraNode node(int gpus) {
        return node(IntStream.range(0, gpus).mapToObj(i -> gpu(i, A100)).toArray(DraGpu[]::new));
    }

    private static DraPublisher publisher(DraServer server) {
        return DraPublisher.of(DraOptions.of(server));
    }

    static List<Device> devices(DraPublication publication) {
        return publication.slices().stream()
                .flatMap(slice -> slice.getSpec().getDevices().stream())
                .toList();
    }

    private static List<String> names(List<ResourceSlice> slices) {
        return slices.stream().map(slice -> slice.getMetadata().getName()).toList();
    }

    private static String counter(DraPublication publication, String set, String name) {
        return publication.slices().stream()
                .flatMap(slice -> slice.getSpec().getSharedCounters().stream())
                .filter(each -> each.getName().equals(set))
                .flatMap(
                        each -> java.util.Optional.ofNullable(each.getCounters().get(name)).stream())
                .map(each -> each.getValue().toString())
                .collect(Collectors.joining());
    }

    static List<DeviceModel> models() {
        return Catalogue.builtin().models();
    }

    @ParameterizedTest
    @MethodSource("models")
    void everyPlacementOfEveryModelIsListedWithinTheLimitsOfEveryVersion(DeviceModel model) {
        for (int minor : List.of(34, 35, 36, 37)) {
            DraServer server = new DraServer(minor, 0);
            DraPublication publication =
                    publisher(server).publish(node(gpu(0, model), gpu(1, model)), Set.of(), List.of());
            int placements = model.profiles().stream()
                    .mapToInt(profile -> profile.starts().size())
                    .sum();
            assertThat(devices(publication))
                    .hasSize(2 * (placements + 1))
                    .extracting(Device::getName)
                    .doesNotHaveDuplicates();
            assertThat(DraLimits.exceeded(server, publication.slices())).isEmpty();
            assertThat(publication.slices())
                    .hasSize(minor == 34 ? 2 : 3)
                    .allMatch(slice -> slice.getSpec().getPool().getResourceSliceCount()
                            == publication.slices().size());
        }
    }

    @Test
    void ninthGpuGetsASecondSliceOfCounters() {
        DraPublication publication = publisher(NEW).publish(node(9), Set.of(), List.of());
        assertThat(names(publication.slices()))
                .hasSize(11)
                .contains("n1-slices.sro.dev-counters-00", "n1-slices.sro.dev-counters-01", "n1-slices.sro.dev-gpu-08");
        assertThat(publication.generation()).isEqualTo(1);
        assertThat(publication.slices().get(0).getSpec().getPool().getName()).isEqualTo("n1-slices.sro.dev");
    }

    @Test
    void aDeviceSaysWhatItIs() {
        Device device = devices(publisher(NEW).publish(node(1), Set.of(), List.of())).stream()
                .filter(each -> each.getName().equals("gpu-0000-00-00-0-3g-20gb-4"))
                .findFirst()
                .orElseThrow();
        assertThat(device.getAttributes())
                .containsEntry(
                        "profile",
                        new DeviceAttributeBuilder().withString("3g.20gb").build())
                .containsEntry(
                        "placement",
                        new DeviceAttributeBuilder().withString("4:4").build())
                .containsEntry(
                        "driverVersion",
                        new DeviceAttributeBuilder().withVersion("580.65.6").build())
                .containsEntry(
                        "cudaVersion",
                        new DeviceAttributeBuilder().withVersion("13.0.0").build())
                .containsEntry(
                        "resource.kubernetes.io/pciBusID",
                        new DeviceAttributeBuilder().withString("0000:00:00.0").build());
        assertThat(device.getCapacity()).containsEntry("memory", new DeviceCapacity(null, new Quantity("19968", "Mi")));
        assertThat(device.getConsumesCounters().get(0).getCounters().keySet())
                .containsExactlyInAnyOrder(
                        "multiprocessors",
                        "copy-engines",
                        "decoders",
                        "memory",
                        "memory-slice-4",
                        "memory-slice-5",
                        "memory-slice-6",
                        "memory-slice-7");
    }

    @Test
    void nothingIsWrittenWhereTheServerHasIt() {
        DraPublisher publisher = publisher(NEW);
        DraPublication first = publisher.publish(node(3), Set.of(), List.of());
        assertThat(first.create()).hasSize(4);
        DraPublication again = publisher.publish(node(3), Set.of(), first.slices());
        assertThat(again.change()).isEqualTo(DraPublication.Change.NONE);
        assertThat(again.writes()).isZero();
    }

    @Test
    void anOrderIsWrittenOnlyWhenAFirstChoiceChangesAndWithoutANewGeneration() {
        DraPublisher publisher = publisher(NEW);
        DraPublication first = publisher.publish(node(3), Set.of(), List.of());
        String taken = devices(first).get(0).getName();
        DraPublication second = publisher.publish(node(3), Set.of(taken), first.slices());
        assertThat(second.generation()).isEqualTo(1);
        assertThat(second.writes()).isLessThanOrEqualTo(1);
        assertThat(publisher.publish(node(3), Set.of(taken), second.slices()).writes())
                .isZero();
    }

    @Test
    void aForeignSliceLowersCountersAndLeavesDevicesAlone() {
        DraPublisher publisher = publisher(NEW);
        DraPublication first = publisher.publish(node(2), Set.of(), List.of());
        DraGpu used = DraGpu.builder()
                .from(gpu(1, A100))
                .addObstacles(DraObstacle.slice("3g.20gb", 4))
                .build();
        DraPublication second = publisher.publish(node(gpu(0, A100), used), Set.of(), first.slices());
        assertThat(counter(second, "gpu-0000-01-00-0", "memory-slice-4")).isEqualTo("0");
        assertThat(counter(second, "gpu-0000-01-00-0", "multiprocessors")).isEqualTo("56");
        assertThat(second.generation()).isEqualTo(1);
        assertThat(devices(second)).hasSameSizeAs(devices(first));
    }

    @Test
    void aFaultClosesCountersWhereTaintsAreUnsafeAndTaintsElsewhere() {
        DraGpu ill = DraGpu.builder()
                .from(gpu(0, A100))
                .putFaults("xid-79", "fell off the bus")
                .build();
        DraPublication unsafe = publisher(UNSAFE).publish(node(ill), Set.of(), List.of());
        assertThat(counter(unsafe, "gpu-0000-00-00-0", "memory-slice-0")).isEqualTo("0");
        assertThat(devices(unsafe)).allMatch(device -> device.getTaints().isEmpty());
        DraPublication safe = publisher(NEW).publish(node(ill), Set.of(), List.of());
        assertThat(counter(safe, "gpu-0000-00-00-0", "memory-slice-0")).isEqualTo("1");
        assertThat(devices(safe))
                .allMatch(device -> device.getTaints().get(0).getKey().equals("slices.sro.dev/xid-79"));
        DraPublication well = publisher(NEW).publish(node(1), Set.of(), safe.slices());
        assertThat(devices(well)).allMatch(device -> device.getTaints().isEmpty());
    }

    @Test
    void whatAClaimHasStaysThoughItsGpuIsLostAndGoesWithTheClaim() {
        DraPublisher publisher = publisher(NEW);
        DraPublication first = publisher.publish(node(2), Set.of(), List.of());
        String held = "gpu-0000-01-00-0-2g-10gb-4";
        Device before = devices(first).stream()
                .filter(device -> device.getName().equals(held))
                .findFirst()
                .orElseThrow();
        DraPublication lost = publisher.publish(node(1), Set.of(held), first.slices());
        assertThat(devices(lost)).contains(before);
        assertThat(devices(lost)).hasSize(27);
        assertThat(counter(lost, "gpu-0000-01-00-0", "memory-slice-4")).isEqualTo("1");
        assertThat(counter(lost, "gpu-0000-01-00-0", "memory-slice-0")).isEqualTo("");
        DraPublication after = publisher.publish(node(1), Set.of(), lost.slices());
        assertThat(devices(after)).hasSize(26);
        assertThat(after.delete()).containsExactly("n1-slices.sro.dev-gpu-01");
    }

    @Test
    void namesStandForPlacements() {
        DraPublisher publisher = publisher(NEW);
        DraNode node = node(2);
        for (Device device : devices(publisher.publish(node, Set.of(), List.of()))) {
            DraDevice found = publisher.device(node, device.getName()).orElseThrow();
            DraGpu gpu = node.gpus().stream()
                    .filter(each -> each.pciAddress().equals(found.pciAddress()))
                    .findFirst()
                    .orElseThrow();
            assertThat(
                            found.whole()
                                    ? publisher.deviceName(gpu)
                                    : publisher
                                            .deviceName(gpu, found.profile(), found.start())
                                            .orElse(""))
                    .isEqualTo(device.getName());
        }
        assertThat(publisher.device(node, "gpu-0000-07-00-0")).isEmpty();
    }

    @Test
    void aServerThatDropsCountersIsFoundOut() {
        DraPublisher publisher = publisher(new DraServer(35, 0));
        DraPublication first = publisher.publish(node(1), Set.of(), List.of());
        List<ResourceSlice> stored = new ArrayList<>();
        for (ResourceSlice slice : first.slices()) {
            ResourceSlice bare = slice.edit().build();
            bare.getSpec().setSharedCounters(List.<CounterSet>of());
            bare.getSpec().getDevices().forEach(device -> device.setConsumesCounters(List.of()));
            stored.add(bare);
        }
        assertThat(first.countersDropped()).isFalse();
        assertThat(publisher.publish(node(1), Set.of(), stored).countersDropped())
                .isTrue();
    }

    @Test
    void devicesThatSroGivesItselfBearItsTaintAndNoOrder() {
        DraPublisher publisher = DraPublisher.of(
                DraOptions.builder().server(NEW).authoritative(true).build());
        DraPublication first = publisher.publish(node(2), Set.of(), List.of());

        assertThat(devices(first))
                .isNotEmpty()
                .allSatisfy(device -> assertThat(device.getTaints())
                        .singleElement()
                        .satisfies(taint -> {
                            assertThat(taint.getKey()).isEqualTo("slices.sro.dev/allocator");
                            assertThat(taint.getEffect()).isEqualTo("NoSchedule");
                        }));
        assertThat(first.taintsDropped()).isFalse();
        Set<String> held = Set.of("gpu-0000-00-00-0-1g-5gb-0", "gpu-0000-00-00-0-2g-10gb-2");
        assertThat(publisher.publish(node(2), held, first.slices()).writes()).isZero();
    }

    @Test
    void whatClaimsHaveGetsTheTaintWhenItIsGivenBack() {
        DraPublication before = publisher(NEW).publish(node(1), Set.of(), List.of());
        String held = "gpu-0000-00-00-0-1g-5gb-0";
        DraPublisher publisher = DraPublisher.of(
                DraOptions.builder().server(NEW).authoritative(true).build());

        DraPublication during = publisher.publish(node(1), Set.of(held), before.slices());
        DraPublication after = publisher.publish(node(1), Set.of(), during.slices());

        assertThat(during.change()).isEqualTo(DraPublication.Change.CONTENT);
        assertThat(during.taintsDropped()).isFalse();
        assertThat(devices(during))
                .allMatch(device ->
                        device.getTaints().isEmpty() == device.getName().equals(held));
        assertThat(devices(after)).noneMatch(device -> device.getTaints().isEmpty());
    }

    @Test
    void aServerThatDropsTaintsIsFoundOut() {
        DraPublisher publisher = DraPublisher.of(
                DraOptions.builder().server(NEW).authoritative(true).build());
        List<ResourceSlice> stored = new ArrayList<>();
        for (ResourceSlice slice :
                publisher.publish(node(1), Set.of(), List.of()).slices()) {
            ResourceSlice bare = slice.edit().build();
            bare.getSpec().getDevices().forEach(device -> device.setTaints(List.of()));
            stored.add(bare);
        }

        assertThat(publisher.publish(node(1), Set.of(), stored).taintsDropped()).isTrue();
        assertThatThrownBy(() -> DraOptions.builder()
                        .server(new DraServer(35, 2))
                        .authoritative(true)
                        .build())
                .hasMessageContaining("1.35.2", "that needs 1.36 or later");
    }

    @Test
    void gpusAreOrderedByWhatIsFreeWhenAskedTo() {
        DraPublisher publisher = publisher(NEW);
        DraPublication first = publisher.publish(node(3), Set.of(), List.of());
        Set<String> held = Set.of("gpu-0000-02-00-0-3g-20gb-4");
        DraPublication second = publisher.publish(node(3), held, first.slices(), Set.of(DraDetail.GPU_ORDER));
        assertThat(second.generation()).isEqualTo(2);
        ResourceSlice top = second.slices().get(0);
        assertThat(top.getMetadata().getName()).isEqualTo("n1-slices.sro.dev-gpu-00");
        assertThat(top.getSpec().getDevices().get(0).getName()).startsWith("gpu-0000-02-00-0");
        assertThat(publisher
                        .publish(node(3), held, second.slices(), Set.of(DraDetail.GPU_ORDER))
                        .writes())
                .isZero();
        assertThat(publisher.publish(node(3), held, second.slices()).writes()).isZero();
    }
}
