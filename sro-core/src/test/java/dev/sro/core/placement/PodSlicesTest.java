package dev.sro.core.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.core.placement.SliceDemand.Wanted;
import dev.sro.core.slicing.Spread;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PodSlicesTest {
    private static Container container(String name, String resource, String amount) {
        return new ContainerBuilder()
                .withName(name)
                .withNewResources()
                .addToLimits(resource, new Quantity(amount))
                .endResources()
                .build();
    }

    private static Pod pod(List<Container> init, List<Container> main, Map<String, String> annotations) {
        return new PodBuilder()
                .withNewMetadata()
                .withName("train")
                .withNamespace("ml")
                .withUid("u1")
                .withAnnotations(annotations)
                .endMetadata()
                .withNewSpec()
                .withInitContainers(init)
                .withContainers(main)
                .endSpec()
                .build();
    }

    private static List<Wanted> slices(List<Container> init, List<Container> main) {
        return PodSlices.of(pod(init, main, Map.of())).orElseThrow().slices();
    }

    @Test
    void readsTheNamesOfNvidiaAndOfDas() {
        assertThat(slices(List.of(), List.of(container("a", "nvidia.com/mig-1g.5gb.me", "1"))))
                .containsExactly(new Wanted("1g.5gb+me", "a", 0));
        assertThat(slices(List.of(), List.of(container("a", "mig.das.com/1g.5gb-plus-me", "1"))))
                .containsExactly(new Wanted("1g.5gb+me", "a", 0));
        assertThat(slices(List.of(), List.of(container("a", "mig.das.com/mig-1g.24gb-me", "1"))))
                .containsExactly(new Wanted("1g.24gb-me", "a", 0));
        assertThat(slices(List.of(), List.of(container("a", "nvidia.com/mig-1g.24gb.gfx", "1"))))
                .containsExactly(new Wanted("1g.24gb+gfx", "a", 0));
    }

    @Test
    void wholeGpusAreNotItsBusiness() {
        assertThat(PodSlices.of(pod(List.of(), List.of(container("a", "nvidia.com/gpu", "1")), Map.of())))
                .isEmpty();
        assertThat(PodSlices.of(pod(List.of(), List.of(container("a", "nvidia.com/mig-1g.5gb", "0")), Map.of())))
                .isEmpty();
    }

    @Test
    void initContainersCountAsTheSchedulerCountsThem() {
        Container main = container("main", "nvidia.com/mig-1g.5gb", "2");
        // One after the other: the greatest counts, and the later ones use what it had.
        assertThat(slices(List.of(container("i", "nvidia.com/mig-1g.5gb", "1")), List.of(main)))
                .containsExactly(new Wanted("1g.5gb", "main", 0), new Wanted("1g.5gb", "main", 1));
        assertThat(slices(List.of(container("i", "nvidia.com/mig-1g.5gb", "3")), List.of(main)))
                .containsExactly(
                        new Wanted("1g.5gb", "i", 0), new Wanted("1g.5gb", "main", 0), new Wanted("1g.5gb", "main", 1));
        Container sidecar = container("s", "nvidia.com/mig-1g.5gb", "1");
        sidecar.setRestartPolicy("Always");
        assertThat(slices(List.of(sidecar, container("i", "nvidia.com/mig-1g.5gb", "2")), List.of(main)))
                .as("the sidecar runs on beside both")
                .hasSize(3);
    }

    @Test
    void saysHowSlicesLieToEachOther() {
        List<Container> two = List.of(container("a", "nvidia.com/mig-1g.5gb", "2"));
        assertThat(PodSlices.of(pod(List.of(), two, Map.of(PodSlices.SPREAD, "same-gpu")))
                        .orElseThrow()
                        .spread())
                .isEqualTo(Spread.SAME_DEVICE);
        assertThatThrownBy(() -> PodSlices.of(pod(List.of(), two, Map.of(PodSlices.SPREAD, "one"))))
                .hasMessage("pod ml/train: metadata.annotations[slices.sro.dev/spread] is \"one\": write same-gpu or"
                        + " different-gpus, or leave it out");
    }

    @Test
    void refusesWhatNobodyCanGive() {
        assertThatThrownBy(() -> slices(List.of(), List.of(container("a", "nvidia.com/mig-1g.5gb", "500m"))))
                .hasMessageContaining("resources.limits[nvidia.com/mig-1g.5gb] of container a is")
                .hasMessageContaining("give a whole number");
        assertThatThrownBy(() -> slices(List.of(), List.of(container("a", "nvidia.com/mig-1g.5gb", "1000000"))))
                .hasMessageContaining("at most 256");
    }
}
