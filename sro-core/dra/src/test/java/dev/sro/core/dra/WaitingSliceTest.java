package dev.sro.core.dra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.core.slicing.Decision;
import dev.sro.core.slicing.SliceException;
import dev.sro.core.slicing.catalogue.Catalogue;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class WaitingSliceTest {
    private static final String FIRST = "gpu-0000-01-00-0-";
    private static final String SECOND = "gpu-0000-02-00-0-";

    private static List<ResourceSlice> slices(DraGpu.Builder first) {
        DraGpu.Builder second = DraGpu.builder()
                .pciAddress("0000:02:00.0")
                .model(Catalogue.builtin().model("A100-40GB"));
        DraNode node = DraNode.builder()
                .name("n1")
                .addGpus(
                        first.pciAddress("0000:01:00.0")
                                .model(Catalogue.builtin().model("A100-40GB"))
                                .build(),
                        second.build())
                .build();
        return DraPublisher.of(DraOptions.of(new DraServer(36, 3)))
                .publish(node, Set.of(), List.of())
                .slices();
    }

    private static Optional<WaitingSlice> explain(List<ResourceSlice> slices, String profile, String... devices) {
        Set<String> allocated = Set.of(devices).stream()
                .map(name -> "n1-slices.sro.dev/" + name)
                .collect(Collectors.toSet());
        return WaitingSlice.explain(slices, allocated, profile, Catalogue.builtin());
    }

    @Test
    void whatFitsIsNotExplained() {
        assertThat(explain(slices(DraGpu.builder()), "7g.40gb", FIRST + "1g-5gb-6"))
                .isEmpty();
    }

    @Test
    void whatFitsOnNoArrangementHasACertificate() {
        WaitingSlice waiting = explain(
                        slices(DraGpu.builder()),
                        "7g.40gb",
                        FIRST + "3g-20gb-0",
                        FIRST + "3g-20gb-4",
                        SECOND + "4g-20gb-0")
                .orElseThrow();
        assertThat(waiting.reason()).isEqualTo(Decision.Reason.INFEASIBLE);
        assertThat(waiting.certificates()).hasSize(1);
        assertThat(CertificateChecker.check(
                        waiting.certificates().get(0),
                        Catalogue.builtin().model("A100-40GB"),
                        List.of(List.of("3g.20gb", "3g.20gb"), List.of("4g.20gb"))))
                .isEmpty();
    }

    @Test
    void whatIsFragmentedHasAPlan() {
        WaitingSlice waiting = explain(slices(DraGpu.builder()), "7g.40gb", FIRST + "1g-5gb-0", SECOND + "1g-5gb-6")
                .orElseThrow();
        assertThat(waiting.reason()).isEqualTo(Decision.Reason.FRAGMENTED);
        assertThat(waiting.plan().orElseThrow().moves()).hasSize(1);
    }

    @Test
    void whatIsHeldBackAndWholeGpusThatAreHadAreNoRoom() {
        List<ResourceSlice> held = slices(DraGpu.builder().addObstacles(DraObstacle.slice("3g.20gb", 4)));
        assertThat(explain(held, "3g.20gb", "gpu-0000-02-00-0")).isEmpty();
        assertThat(explain(held, "3g.20gb", "gpu-0000-02-00-0", FIRST + "3g-20gb-0")
                        .orElseThrow()
                        .reason())
                .isEqualTo(Decision.Reason.INFEASIBLE);
        assertThatThrownBy(() -> explain(held, "9g.99gb")).isInstanceOf(SliceException.class);
    }
}
