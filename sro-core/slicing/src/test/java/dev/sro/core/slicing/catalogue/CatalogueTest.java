package dev.sro.core.slicing.catalogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.core.slicing.fixture.Models;
import dev.sro.core.slicing.geometry.Geometry;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class CatalogueTest {
    private static final Catalogue BUILTIN = Catalogue.builtin();

    static List<Path> invalidFiles() throws IOException, URISyntaxException {
        Path folder = Path.of(CatalogueTest.class
                        .getResource("/dev/sro/core/slicing/catalogue/invalid-fields.json")
                        .toURI())
                .getParent();
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().matches("invalid-.*[.](json|yaml)"))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("invalidFiles")
    void namesEveryErrorWithFileLineAndField(Path file) throws IOException {
        List<String> expected = Files.readAllLines(Path.of(file + ".errors"));
        assertThat(expected).isNotEmpty();
        assertThatThrownBy(() -> Catalogue.read(file))
                .isInstanceOfSatisfying(
                        CatalogueException.class,
                        e -> assertThat(e.errors().stream()
                                        .map(error -> error.replace(file.toString(), "FILE"))
                                        .toList())
                                .containsExactlyElementsOf(expected));
    }

    @Test
    void saysThatAFileIsMissing(@TempDir Path folder) {
        Path file = folder.resolve("none.json");
        assertThatThrownBy(() -> Catalogue.read(file))
                .isInstanceOf(CatalogueException.class)
                .hasMessage(file + ": no such file");
    }

    @ParameterizedTest
    @CsvSource({
        "A100-40GB, A100-40GB",
        "a100_40gb, A100-40GB",
        "NVIDIA A100-SXM4-40GB, A100-40GB",
        "NVIDIA-A100-SXM4-40GB-MIG-1g.5gb, A100-40GB",
        "NVIDIA-A100-SXM4-40GB-SHARED, A100-40GB",
        "NVIDIA-H100-80GB-HBM3, H100-80GB",
        "AMD_Instinct_MI300X_OAM, MI300X",
    })
    void findsAModelByTheNamesThatDriversAndLabelsGive(String name, String key) {
        assertThat(BUILTIN.model(name).key()).isEqualTo(key);
    }

    @ParameterizedTest
    @CsvSource({
        "0x20B0, A100-40GB",
        "20b0, A100-40GB",
        "10de:20b0, A100-40GB",
        "0x20B010DE, A100-40GB",
        "0x233010de, H100-80GB",
        "1002:74a1, MI300X",
    })
    void findsAModelByPciId(String id, String key) {
        assertThat(BUILTIN.modelByPciId(id).key()).isEqualTo(key);
    }

    @Test
    void namesWhatMayHaveBeenMeant() {
        assertThatThrownBy(() -> BUILTIN.model("H100-80"))
                .isInstanceOfSatisfying(
                        UnknownModelException.class, e -> assertThat(e.close()).contains("H100-80GB"))
                .hasMessageContaining("no device model is called H100-80; did you mean H100-80GB");
        assertThatThrownBy(() -> BUILTIN.model("quantum"))
                .isInstanceOf(UnknownModelException.class)
                .hasMessage("no device model is called quantum");
        assertThatThrownBy(() -> BUILTIN.modelByPciId("1002:20b0")).isInstanceOf(UnknownModelException.class);
        assertThatThrownBy(() -> BUILTIN.modelByPciId("H100"))
                .isInstanceOf(UnknownModelException.class)
                .hasMessageContaining("is not a PCI id");
    }

    @Test
    void ownFileReplacesAndAdds() {
        Catalogue own = Catalogue.read("own.yaml", """
                schema: sro.dev/slicing-catalogue/v1
                scheme: tiles
                models:
                - key: A30-24GB
                  memoryUnits: 2
                  placements: assumed
                  profiles: [{name: half, size: 1, starts: [0, 1], maxInstances: 2}]
                - key: Tiler
                  products: [Tile One]
                  pciDeviceIds: ["0x20b0"]
                  memoryUnits: 1
                  placements: documented
                  profiles: [{name: whole, size: 1, starts: [0], maxInstances: 1}]
                """);
        Catalogue both = BUILTIN.with(own);
        assertThat(both.models()).hasSize(BUILTIN.models().size() + 1);
        assertThat(both.models().get(0).key()).isEqualTo("A30-24GB");
        assertThat(both.model("A30-24GB").scheme()).isEqualTo("tiles");
        assertThat(both.model("tile one").key()).isEqualTo("Tiler");
        assertThat(both.modelByPciId("0x20b0").key()).isEqualTo("Tiler");
        assertThat(BUILTIN.modelByPciId("0x20b0").key()).isEqualTo("A100-40GB");
    }

    @Test
    void modelsInCodeMustDiffer() {
        assertThatThrownBy(() -> Catalogue.of(List.of(Models.a100(), Models.a100())))
                .isInstanceOf(CatalogueException.class)
                .hasMessage("device model A100-40GB: key is also that of A100-40GB");
    }

    @Test
    void whatADriverReportsGoesBeforeTheCatalogue() {
        DeviceModel real = BUILTIN.model("RTXPRO5000-48GB")
                .discovered(List.of(
                        new DiscoveredProfile("1g.23gb", OptionalInt.of(0), 6, List.of(6, 0), 2, Map.of()),
                        new DiscoveredProfile("2g.48gb", OptionalInt.of(1), 12, List.of(0), 1, Map.of()),
                        new DiscoveredProfile("9g.new", OptionalInt.of(99), 12, List.of(0), 1, Map.of("nvenc", 4))));
        assertThat(real.placementsKnown()).isTrue();
        assertThat(real.placementOrigin()).isEqualTo(PlacementOrigin.DISCOVERED);
        assertThat(real.memoryUnits()).isEqualTo(12);
        assertThat(real.engineCapacity()).containsEntry("nvenc", 4).containsEntry("nvdec", 3);
        assertThat(real.profiles()).extracting(SliceProfile::name).containsExactly("1g.23gb", "2g.48gb", "9g.new");
        SliceProfile half = real.profile("1g.24gb").orElseThrow();
        assertThat(half.name()).isEqualTo("1g.23gb");
        assertThat(half.starts()).containsExactly(0, 6);
        assertThat(half.engines()).containsEntry("nvdec", 1);
        assertThat(Geometry.of(real).layouts()).isEqualTo(6);
    }

    @Test
    void swappedNamesDoNotCollide() {
        DeviceModel real = BUILTIN.model("A100-80GB")
                .discovered(List.of(
                        new DiscoveredProfile("1g.20gb", OptionalInt.of(0), 1, List.of(0, 1), 2, Map.of()),
                        new DiscoveredProfile("1g.10gb", OptionalInt.of(9), 2, List.of(0), 1, Map.of())));
        assertThat(real.profile("1g.20gb").orElseThrow().nvmlProfileEnum()).hasValue(0);
        assertThat(real.profile("1g.10gb").orElseThrow().nvmlProfileEnum()).hasValue(9);
    }

    @Test
    void nonsenseFromADriverIsRefused() {
        assertThatThrownBy(() -> BUILTIN.model("A30-24GB")
                        .discovered(
                                List.of(new DiscoveredProfile("1g", OptionalInt.empty(), 0, List.of(0), 1, Map.of()))))
                .isInstanceOf(CatalogueException.class)
                .hasMessageContaining("profile 1g: size: 0 is not positive");
    }

    @Test
    void foreignThingsTakeTheirUnitsAndEngines() {
        DeviceModel a30 = BUILTIN.model("A30-24GB");
        DeviceModel left = a30.without(0b0001, Map.of("ofa", 1)).orElseThrow();
        assertThat(left.key()).isEqualTo("A30-24GB without 0x1 1 ofa");
        assertThat(left.profiles()).extracting(SliceProfile::name).containsExactly("1g.6gb", "2g.12gb");
        assertThat(left.profile("2g.12gb").orElseThrow().starts()).containsExactly(2);
        assertThat(a30.without(0b1111, Map.of())).isEmpty();
        assertThat(a30.without(0, Map.of()).orElseThrow().profiles()).isEqualTo(a30.profiles());
        assertThatThrownBy(() -> a30.without(0b10000, Map.of())).isInstanceOf(IllegalArgumentException.class);
    }
}
