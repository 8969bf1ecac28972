package dev.sro.core.dra;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.dra.SliceAudit.Finding;
import dev.sro.core.dra.SliceAudit.Kind;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.slicing.catalogue.DeviceModel;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.resource.v1.Counter;
import io.fabric8.kubernetes.api.model.resource.v1.Device;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SliceAuditTest {
    private static final DraServer SERVER = new DraServer(36, 3);

    static List<DeviceModel> models() {
        return Catalogue.builtin().models();
    }

    private static List<ResourceSlice> published(DeviceModel model) {
        DraNode node = DraNode.builder()
                .name("n1")
                .addGpus(
                        DraGpu.builder().pciAddress("0000:01:00.0").model(model).build())
                .build();
        return DraPublisher.of(DraOptions.of(SERVER))
                .publish(node, Set.of(), List.of())
                .slices();
    }

    private static SliceAudit.Report audit(List<ResourceSlice> slices) {
        return SliceAudit.audit(slices, Catalogue.builtin(), Optional.empty(), SERVER);
    }

    /** What A100 slices with a fault are found to be. */
    private static List<Finding> findings(Consumer<List<ResourceSlice>> fault) {
        List<ResourceSlice> slices = published(Catalogue.builtin().model("A100-40GB"));
        fault.accept(slices);
        SliceAudit.Report report = audit(slices);
        assertThat(report.clean()).isFalse();
        return report.findings();
    }

    private static Device device(List<ResourceSlice> slices, String name) {
        return slices.stream()
                .flatMap(slice -> slice.getSpec().getDevices().stream())
                .filter(device -> device.getName().equals("gpu-0000-01-00-0" + name))
                .findFirst()
                .orElseThrow();
    }

    private static void remove(List<ResourceSlice> slices, String name) {
        Device device = device(slices, name);
        slices.forEach(slice -> slice.getSpec().getDevices().remove(device));
    }

    @ParameterizedTest
    @MethodSource("models")
    void findsNothingInWhatIsPublishedForAnyModel(DeviceModel model) {
        SliceAudit.Report report = audit(published(model));
        assertThat(report.findings()).isEmpty();
        assertThat(report.gpus()).isEqualTo(1);
        assertThat(report.layouts()).isGreaterThan(1);
    }

    @Test
    void namesASmallestLayoutThatIsWronglyAdmitted() {
        List<Finding> findings = findings(slices -> device(slices, "-3g-20gb-4")
                .getConsumesCounters()
                .get(0)
                .getCounters()
                .keySet()
                .removeIf(name -> name.endsWith("-6")));
        assertThat(findings).extracting(Finding::kind).containsExactly(Kind.ADMITTED);
        assertThat(findings.get(0).devices()).hasSize(2).contains("gpu-0000-01-00-0-3g-20gb-4");
    }

    @Test
    void namesASmallestLayoutThatIsWronglyRefused() {
        List<Finding> findings = findings(slices -> slices.forEach(slice -> slice.getSpec()
                .getSharedCounters()
                .forEach(set -> set.getCounters().put("multiprocessors", new Counter(new Quantity("97"))))));
        assertThat(findings).extracting(Finding::kind).contains(Kind.REFUSED);
        assertThat(findings).anyMatch(finding -> finding.text().startsWith("wrongly refused: 7g.40gb at 0"));
    }

    @Test
    void findsPlacementsThatAreMissingOrNotThere() {
        assertThat(findings(slices -> remove(slices, "-1g-5gb-3")))
                .extracting(Finding::text)
                .containsExactly("not listed: 1g.5gb at 3");
        assertThat(findings(slices -> device(slices, "-3g-20gb-4")
                        .getConsumesCounters()
                        .get(0)
                        .getCounters()
                        .keySet()
                        .removeIf(name -> name.endsWith("-4"))))
                .extracting(Finding::kind)
                .contains(Kind.NO_SUCH_PLACEMENT);
    }

    @Test
    void findsAWholeGpuThatOverlapsNothing() {
        assertThat(findings(slices -> device(slices, "")
                        .getConsumesCounters()
                        .get(0)
                        .getCounters()
                        .keySet()
                        .removeIf(name -> !name.equals("memory-slice-7"))))
                .extracting(Finding::text)
                .anyMatch(text -> text.startsWith("wrongly admitted: the whole GPU beside a slice"));
    }

    @Test
    void findsPoolsThatASchedulerPassesOver() {
        assertThat(findings(slices -> slices.get(0).getSpec().getPool().setResourceSliceCount(3L)))
                .extracting(Finding::kind)
                .containsExactly(Kind.POOL);
        assertThat(findings(slices -> device(slices, "-1g-5gb-3").setConsumesCounters(List.of())))
                .extracting(Finding::text)
                .anyMatch(text -> text.endsWith("consumes no counters: nothing keeps it from overlapping others"));
    }

    private static List<ResourceSlice> beside(DeviceModel model, DraObstacle... obstacles) {
        DraNode node = DraNode.builder()
                .name("n1")
                .addGpus(DraGpu.builder()
                        .pciAddress("0000:01:00.0")
                        .model(model)
                        .addObstacles(obstacles)
                        .build())
                .build();
        return DraPublisher.of(DraOptions.of(SERVER))
                .publish(node, Set.of(), List.of())
                .slices();
    }

    @Test
    void aForeignSliceIsNoDefect() {
        SliceAudit.Report report =
                audit(beside(Catalogue.builtin().model("A100-40GB"), DraObstacle.slice("3g.20gb", 4)));
        assertThat(report.clean()).isTrue();
        assertThat(report.findings()).extracting(Finding::kind).containsOnly(Kind.NOTE);
    }

    /** Engines that a foreign slice has are missing elsewhere on the GPU, too. */
    @ParameterizedTest
    @ValueSource(strings = {"A100-40GB", "A30-24GB", "H100-80GB"})
    void noForeignSliceOfAnyPlaceIsADefect(String name) {
        DeviceModel model = Catalogue.builtin().model(name);
        model.profiles()
                .forEach(profile -> profile.starts()
                        .forEach(start -> assertThat(audit(beside(model, DraObstacle.slice(profile.name(), start)))
                                        .findings())
                                .as("%s at %s", profile.name(), start)
                                .extracting(Finding::kind)
                                .containsOnly(Kind.NOTE)));
        assertThat(audit(beside(
                                model,
                                DraObstacle.slice(model.profiles().get(0).name(), 0),
                                DraObstacle.slice(model.profiles().get(0).name(), 1)))
                        .clean())
                .isTrue();
    }

    @Test
    void whatIsHeldBackExcusesNoOtherCounterThatIsTooSmall() {
        List<ResourceSlice> slices = beside(Catalogue.builtin().model("A100-40GB"), DraObstacle.slice("3g.20gb", 4));
        slices.forEach(slice -> slice.getSpec()
                .getSharedCounters()
                .forEach(set -> set.getCounters().put("multiprocessors", new Counter(new Quantity("40")))));
        SliceAudit.Report report = audit(slices);
        assertThat(report.clean()).isFalse();
        assertThat(report.findings()).extracting(Finding::kind).containsExactly(Kind.REFUSED, Kind.NOTE);
        assertThat(report.findings().get(0).text()).startsWith("wrongly refused: 3g.20gb at 0");
    }

    @Test
    void aCounterThatIsTooSmallBesideAClosedUnitIsFoundForEngines() {
        List<ResourceSlice> slices = beside(Catalogue.builtin().model("A100-40GB"), DraObstacle.slice("1g.5gb", 6));
        slices.forEach(slice -> slice.getSpec()
                .getSharedCounters()
                .forEach(set -> set.getCounters().put("copy-engines", new Counter(new Quantity("1")))));
        assertThat(audit(slices).findings())
                .extracting(Finding::kind)
                .contains(Kind.REFUSED)
                .doesNotContain(Kind.ADMITTED);
    }
}
