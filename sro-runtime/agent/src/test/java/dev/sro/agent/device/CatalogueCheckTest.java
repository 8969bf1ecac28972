package dev.sro.agent.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.agent.emulated.EmulatedDevices;
import dev.sro.agent.emulated.EmulatedGpus;
import dev.sro.agent.emulated.EmulatedNode;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.slicing.catalogue.DeviceModel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CatalogueCheckTest {
    static Stream<DeviceModel> models() {
        return Catalogue.builtin().models().stream()
                .filter(model -> model.scheme().equals("mig"));
    }

    private static Gpu gpu(DeviceModel model) {
        return new EmulatedDevices(
                        "node",
                        new EmulatedNode(
                                new DriverVersion("580", "13.0"),
                                Duration.ZERO,
                                Duration.ZERO,
                                List.of(new EmulatedGpus(model, 1, GpuMode.SLICES)),
                                List.of()),
                        pause -> {})
                .gpus()
                .get(0);
    }

    @ParameterizedTest
    @MethodSource("models")
    void aGpuThatIsAsTheCatalogueSaysHasNoDifference(DeviceModel model) {
        CatalogueCheck check = CatalogueCheck.of(Catalogue.of(List.of(model)), gpu(model));

        assertThat(check.differences()).isEmpty();
        assertThat(check.model().orElseThrow().profiles()).hasSameSizeAs(model.profiles());
    }

    @Test
    void theDriverWinsAndEachDifferenceIsTold() {
        Gpu gpu = gpu(Catalogue.builtin().model("A100-40GB"));
        List<DriverProfile> profiles = new ArrayList<>(gpu.profiles());
        DriverProfile third = gpu.profile("3g.20gb").orElseThrow();
        profiles.set(
                profiles.indexOf(third),
                new DriverProfile(
                        third.id(),
                        third.nvmlEnum(),
                        "3g.21gb",
                        3,
                        4,
                        List.of(4),
                        1,
                        third.engines(),
                        third.memoryMiB()));
        profiles.remove(gpu.profile("1g.10gb").orElseThrow());
        profiles.add(new DriverProfile(77, OptionalInt.of(6), "6g.30gb", 6, 7, List.of(0), 1, third.engines(), 1));

        CatalogueCheck check = CatalogueCheck.of(
                Catalogue.builtin(),
                new Gpu(
                        gpu.address(),
                        gpu.uuid(),
                        gpu.product(),
                        gpu.pciId(),
                        gpu.mode(),
                        0,
                        OptionalInt.empty(),
                        profiles,
                        List.of(),
                        true));

        assertThat(check.differences())
                .containsExactlyInAnyOrder(
                        "0000:10:00.0: 3g.21gb: the driver has size 4 at [4], the catalogue 4 at [0, 4]",
                        "0000:10:00.0: 3g.21gb: the driver has 1 at most, the catalogue 2",
                        "0000:10:00.0: 3g.21gb: the catalogue calls it 3g.20gb",
                        "0000:10:00.0: the driver offers 6g.30gb, which the catalogue has not",
                        "0000:10:00.0: the driver does not offer 1g.10gb");
        assertThat(check.model().orElseThrow().profile("3g.21gb").orElseThrow().starts())
                .containsExactly(4);
    }

    @Test
    void aGpuThatNobodyKnowsIsToldOf() {
        Gpu gpu = gpu(Catalogue.builtin().model("A30-24GB"));

        CatalogueCheck check = CatalogueCheck.of(Catalogue.of(List.of()), gpu);

        assertThat(check.model()).isEmpty();
        assertThat(check.differences()).singleElement().asString().contains("the catalogue has no");
    }
}
