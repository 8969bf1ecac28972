package dev.sro.core.slicing.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.slicing.geometry.Geometry;
import dev.sro.core.slicing.input.InputDocument;
import dev.sro.core.slicing.input.InputField;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BuiltinCatalogueTest {
    private static final Catalogue CATALOGUE = Catalogue.builtin();

    @Test
    void hasEveryMigProductAndProfile() {
        List<DeviceModel> mig = scheme("mig");
        assertThat(mig).hasSize(18);
        assertThat(mig.stream().mapToInt(model -> model.profiles().size()).sum())
                .isEqualTo(127);
        assertThat(scheme("amd-partition"))
                .extracting(DeviceModel::key)
                .containsExactly("MI300X", "MI300A", "MI325X", "MI350X", "MI355X");
        assertThat(scheme("ppu-mig")).hasSize(1);
    }

    // Columns: legal sets, occupied masks, distinct sets of what still fits.
    @ParameterizedTest
    @CsvSource({
        "A30-24GB, 76, 16, 30",
        "A100-40GB, 2319, 192, 254",
        "A100-80GB, 2319, 192, 254",
        "H100-80GB, 2319, 192, 254",
        "H100-94GB, 2319, 192, 254",
        "H100-96GB, 2319, 192, 254",
        "H20-96GB, 2319, 192, 254",
        "H200-141GB, 2319, 192, 254",
        "GH200-144GB, 2319, 192, 254",
        "B200-180GB, 2319, 192, 254",
        "GB200-186GB, 2319, 192, 254",
        "B300-269GB, 2319, 192, 254",
        "GB300-278GB, 2319, 192, 254",
        "RTXPRO6000-96GB, 717, 16, 58",
    })
    void hasTheStatesThatExhaustiveSearchFound(String key, int sets, int masks, int nextSets) {
        Geometry geometry = Geometry.of(CATALOGUE.model(key));
        Set<Integer> occupied = new HashSet<>();
        Set<Long> next = new HashSet<>();
        for (int occupancy = 0; occupancy < geometry.occupancies(); occupancy++) {
            occupied.add(geometry.maskOf(occupancy));
            next.add(geometry.addable(occupancy));
        }
        assertThat(geometry.layouts()).isEqualTo(sets);
        assertThat(occupied).hasSize(masks);
        assertThat(next).hasSize(nextSets);
    }

    @Test
    void everyModelHasTables() {
        assertThat(CATALOGUE.models())
                .allSatisfy(model -> assertThat(Geometry.of(model).layouts())
                        .isGreaterThan(model.profiles().size()));
    }

    @Test
    void identifiersBelongToOneModel() {
        List<String> ids = CATALOGUE.models().stream()
                .flatMap(model -> model.pciDeviceIds().stream())
                .toList();
        assertThat(ids).doesNotHaveDuplicates().hasSizeGreaterThan(20);
        assertThat(CATALOGUE.models()).extracting(DeviceModel::key).doesNotHaveDuplicates();
        for (DeviceModel model : scheme("mig")) {
            assertThat(model.profiles())
                    .extracting(SliceProfile::nvmlProfileEnum)
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    void saysWherePlacementsAreGuessed() {
        assertThat(CATALOGUE.models().stream()
                        .filter(model -> !model.placementsKnown())
                        .map(DeviceModel::key))
                .containsExactly(
                        "RTXPRO5000-48GB", "RTXPRO5000-48GB-r580", "RTXPRO4500-32GB", "Thor-iGPU", "PPU-ZW810E-96GB");
    }

    @Test
    void thorCarriesAtMostOneComputeAndOneGraphicsInstance() {
        Geometry thor = Geometry.of(CATALOGUE.model("Thor-iGPU"));
        for (int layout = 0; layout < thor.layouts(); layout++) {
            int graphics = 0;
            int compute = 0;
            for (long rest = thor.placementsOf(layout); rest != 0; rest &= rest - 1) {
                int profile = thor.profileOf(Long.numberOfTrailingZeros(rest));
                if (thor.profile(profile).name().endsWith("+gfx")) {
                    graphics++;
                } else {
                    compute++;
                }
            }
            assertThat(graphics).isLessThanOrEqualTo(1);
            assertThat(compute).isLessThanOrEqualTo(1);
        }
    }

    @Test
    void mediaProfilesExcludeEachOtherAndTheFullDevice() {
        Geometry a100 = Geometry.of(CATALOGUE.model("A100-40GB"));
        long media = set(a100, "1g.5gb+me", 0);
        assertThat(a100.layoutOf(media | set(a100, "1g.5gb", 1))).isNotNegative();
        assertThat(a100.layoutOf(media | set(a100, "1g.5gb+me", 1))).isNegative();
        Geometry rtx = Geometry.of(CATALOGUE.model("RTXPRO6000-96GB"));
        long all = set(rtx, "1g.24gb+me.all", 0);
        assertThat(rtx.layoutOf(all | set(rtx, "1g.24gb", 3))).isNegative();
        assertThat(rtx.layoutOf(all | set(rtx, "1g.24gb-me", 3) | set(rtx, "2g.48gb-me", 6)))
                .isNotNegative();
    }

    @Test
    void partitionModesOfAnInstinctNeverMix() {
        Geometry mi300x = Geometry.of(CATALOGUE.model("MI300X"));
        assertThat(mi300x.layoutOf(set(mi300x, "cpx_nps4", 0) | set(mi300x, "cpx_nps4", 7)))
                .isNotNegative();
        assertThat(mi300x.layoutOf(set(mi300x, "cpx_nps4", 0) | set(mi300x, "cpx_nps1", 7)))
                .isNegative();
        assertThat(mi300x.layoutOf(set(mi300x, "cpx_nps1", 0) | set(mi300x, "dpx_nps1", 4)))
                .isNegative();
        assertThat(CATALOGUE.model("MI350X").indexOf("cpx_nps4")).isNegative();
        assertThat(CATALOGUE.model("MI300A").indexOf("tpx_nps1")).isNotNegative();
        assertThat(CATALOGUE.model("MI300X").profile("CPX/NPS4").orElseThrow().multiprocessors())
                .hasValue(38);
    }

    @Test
    void namesOfBoardsAndDriversAreAliases() {
        assertThat(CATALOGUE
                        .model("GB200-186GB")
                        .profile("7g.189gb")
                        .orElseThrow()
                        .name())
                .isEqualTo("7g.186gb");
        assertThat(CATALOGUE.model("A100-80GB").profile("7g.79gb").orElseThrow().name())
                .isEqualTo("7g.80gb");
    }

    @ParameterizedTest
    @ValueSource(strings = {"nvidia-mig.json", "amd-partition.json", "alibaba-ppu.json"})
    void everyConflictIsResolvedAfterANamedSource(String file) throws IOException {
        InputField document = InputDocument.parse(file, resource(file)).root();
        Set<String> sources = at(document, "sources").fields().keySet();
        List<InputField> conflicts = at(document, "conflicts").list();
        assertThat(conflicts).hasSizeGreaterThanOrEqualTo(1);
        for (InputField conflict : conflicts) {
            String resolution = at(conflict, "resolution").string();
            if (resolution.contains(" is taken")) {
                assertThat(sources.stream().anyMatch(resolution::contains) || file.equals("alibaba-ppu.json"))
                        .as(resolution)
                        .isTrue();
            }
        }
    }

    @Test
    void schemaHasTheFieldsThatAreRead() throws IOException {
        InputField schema = InputDocument.parse("schema", resource("slicing-catalogue-v1.schema.json"))
                .root();
        assertThat(properties(schema)).containsExactly(sorted(CatalogueReader.FIELDS));
        assertThat(properties(at(schema, "$defs", "conflict")))
                .containsExactly(sorted(CatalogueReader.CONFLICT_FIELDS));
        assertThat(properties(at(schema, "$defs", "model"))).containsExactly(sorted(ModelReader.FIELDS));
        assertThat(properties(at(schema, "$defs", "profile"))).containsExactly(sorted(ModelReader.PROFILE_FIELDS));
    }

    private static Set<String> properties(InputField definition) {
        assertThat(at(definition, "additionalProperties").bool()).isFalse();
        return new TreeSet<>(at(definition, "properties").fields().keySet());
    }

    private static InputField at(InputField from, String... names) {
        InputField field = from;
        for (String name : names) {
            field = Objects.requireNonNull(field.fields().get(name), name);
        }
        return field;
    }

    private static String[] sorted(String[] names) {
        return Arrays.stream(names).sorted().toArray(String[]::new);
    }

    private static long set(Geometry geometry, String profile, int start) {
        return 1L << geometry.placement(geometry.model().indexOf(profile), start);
    }

    private static List<DeviceModel> scheme(String scheme) {
        return CATALOGUE.models().stream()
                .filter(model -> model.scheme().equals(scheme))
                .collect(Collectors.toList());
    }

    private static String resource(String file) throws IOException {
        try (InputStream in = Catalogue.class.getResourceAsStream("/dev/sro/core/slicing/" + file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
