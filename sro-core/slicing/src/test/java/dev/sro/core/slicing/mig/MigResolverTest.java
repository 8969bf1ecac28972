package dev.sro.core.slicing.mig;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.geometry.Geometry;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MigResolverTest {
    private static final DeviceModel A100 = Catalogue.builtin().model("A100-40GB");
    private static final DeviceModel H100 = Catalogue.builtin().model("H100-80GB");

    @Test
    void givesEveryInstanceAPlaceLargeOnesFirst() {
        List<MigLayout> layouts = resolved("""
                - devices: all
                  mig-enabled: true
                  mig-devices: {1g.5gb: 2, 2g.10gb: 1, 3g.20gb: 1}
                """, new MigDevice(0, A100));
        assertThat(layouts).hasSize(1);
        assertThat(layouts.get(0).instances())
                .extracting(instance -> instance.profile() + "@" + instance.start())
                .containsExactly("3g.20gb@4", "2g.10gb@0", "1g.5gb@2", "1g.5gb@3");
    }

    @Test
    void lastEntryAboutADeviceDecides() {
        List<MigLayout> layouts = resolved("""
                - {devices: all, mig-enabled: true, mig-devices: {7g.40gb: 1}}
                - {device-filter: "0x233010DE", devices: all, mig-enabled: true, mig-devices: {7g.80gb: 1}}
                - {devices: [1], mig-enabled: false}
                """, new MigDevice(0, A100), new MigDevice(1, A100), new MigDevice(2, H100));
        assertThat(layouts).extracting(MigLayout::migEnabled).containsExactly(true, false, true);
        assertThat(layouts.get(2).instances()).extracting(MigInstance::profile).containsExactly("7g.80gb");
    }

    @Test
    void theIdOfTheVeryDeviceGoesBeforeThoseOfItsModel() {
        String config = "- {device-filter: '0x20B010DE', devices: all, mig-enabled: true}";
        assertThat(problems(config, new MigDevice(0, Optional.of(A100), "0x20f110de")))
                .containsExactly("configuration c: device 0: no entry is about it (A100-40GB)");
        assertThat(resolved(config, new MigDevice(0, Optional.of(A100), "10de:20b0")))
                .hasSize(1);
    }

    @Test
    void everyDeviceMustBeCovered() {
        assertThat(problems("- {devices: [0], mig-enabled: false}", new MigDevice(0, A100), new MigDevice(1, H100)))
                .containsExactly("configuration c: device 1: no entry is about it (H100-80GB)");
    }

    @Test
    void aDeviceWithoutMigIsContentWithADisabledEntry() {
        MigDevice plain = new MigDevice(0, Optional.empty(), "");
        assertThat(resolved("- {devices: all, mig-enabled: false}", plain))
                .containsExactly(new MigLayout(0, false, List.of()));
        assertThat(problems("- {devices: all, mig-enabled: true}", plain))
                .containsExactly("configuration c: device 0: cannot be sliced, but mig-enabled is true for it");
    }

    @Test
    void saysWhatDoesFit() {
        assertThat(problems("""
                        - devices: all
                          mig-enabled: true
                          mig-devices: {3g.20gb: 2, 1g.5gb: 1}
                        """, new MigDevice(3, A100)))
                .containsExactly("configuration c: device 3 (A100-40GB): 1 x 1g.5gb + 2 x 3g.20gb do not fit together;"
                        + " at most 2 x 3g.20gb of them do");
    }

    @Test
    void namesProfilesThatMayHaveBeenMeant() {
        assertThat(problems(
                        "- {devices: all, mig-enabled: true, mig-devices: {1g.50gb: 1, 4c.3g.20gb: 1, 1g.5gb: 1000000000}}",
                        new MigDevice(0, A100)))
                .hasSize(3)
                .satisfies(list ->
                        assertThat(list.get(0)).contains("has no profile 1g.50gb; did you mean 1g.10gb, 1g.5gb"))
                .satisfies(list -> assertThat(list.get(1)).contains("a 3g.20gb has only 3 compute slices"))
                .satisfies(list -> assertThat(list.get(2)).contains("1000000000 are more than any device carries"));
        MigConfig config = MigConfig.parse("c", "{version: v1, mig-configs: {all-disabled: []}}");
        assertThat(config.resolve("all-disable", List.of()))
                .isEqualTo(new MigResolution.Refused(
                        List.of("no configuration is called all-disable; did you mean all-disabled?")));
    }

    @Test
    void computeInstancesShareAsFewInstancesAsHoldThem() {
        List<MigInstance> instances = resolved(
                        "- {devices: all, mig-enabled: true, mig-devices: {1c.3g.20gb: 4, 2c.3g.20gb: 1}}",
                        new MigDevice(0, A100))
                .get(0)
                .instances();
        assertThat(instances)
                .containsExactly(
                        new MigInstance("3g.20gb", 0, 4, List.of(2, 1)),
                        new MigInstance("3g.20gb", 4, 4, List.of(1, 1, 1)));
    }

    // Whatever one device can carry is found again from its counts, and is legal at every step of its creation.
    @ParameterizedTest
    @ValueSource(strings = {"A30-24GB", "A100-40GB", "RTXPRO6000-96GB"})
    void findsAPlaceForEverythingThatFits(String key) {
        DeviceModel model = Catalogue.builtin().model(key);
        Geometry geometry = Geometry.of(model);
        for (int layout = 0; layout < geometry.layouts(); layout += 7) {
            int[] counts = new int[geometry.profiles()];
            for (long rest = geometry.placementsOf(layout); rest != 0; rest &= rest - 1) {
                counts[geometry.profileOf(Long.numberOfTrailingZeros(rest))]++;
            }
            int found = OneDevice.layout(geometry, counts);
            assertThat(found).isNotNegative();
            int step = 0;
            for (int placement : OneDevice.inOrderOfCreation(geometry, geometry.placementsOf(found))) {
                step = geometry.toggle(step, placement);
                assertThat(step).isNotEqualTo(Geometry.ILLEGAL);
                counts[geometry.profileOf(placement)]--;
            }
            assertThat(counts).containsOnly(0);
        }
    }

    private static List<MigLayout> resolved(String entries, MigDevice... devices) {
        MigResolution resolution = config(entries).resolve("c", List.of(devices));
        assertThat(resolution).isInstanceOf(MigResolution.Resolved.class);
        return ((MigResolution.Resolved) resolution).layouts();
    }

    private static List<String> problems(String entries, MigDevice... devices) {
        MigResolution resolution = config(entries).resolve("c", List.of(devices));
        assertThat(resolution).isInstanceOf(MigResolution.Refused.class);
        return ((MigResolution.Refused) resolution).problems();
    }

    private static MigConfig config(String entries) {
        return MigConfig.parse("c.yaml", "version: v1\nmig-configs:\n  c:\n" + entries.indent(2));
    }
}
