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

    @Test
    void aForeignSliceIsNoDefect() {
        DraNode node = DraNode.builder()
                .name("n1")
                .addGpus(DraGpu.builder()
                        .pciAddress("0000:01:00.0")
                        .model(Catalogue.builtin().model("A100-40GB"))
                        .addObstacles(DraObstacle.slice("3g.20gb", 4))
                        .build())
                .build();
        SliceAudit.Report report = audit(DraPublisher.of(DraOptions.of(SERVER))
                .publish(node, Set.of(), List.of())
                .slices());
        assertThat(report.clean()).isTrue();
        assertThat(report.findings()).extracting(Finding::kind).containsOnly(Kind.NOTE);
    }
}
