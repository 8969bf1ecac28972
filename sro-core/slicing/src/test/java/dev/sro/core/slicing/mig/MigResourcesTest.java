package dev.sro.core.slicing.mig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.catalogue.SliceProfile;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MigResourcesTest {
    @ParameterizedTest
    @CsvSource({
        "1g.5gb, nvidia.com/mig-1g.5gb",
        "1g.5gb+me, nvidia.com/mig-1g.5gb.me",
        "1g.24gb+me.all, nvidia.com/mig-1g.24gb.me.all",
        "1g.24gb-me, nvidia.com/mig-1g.24gb-me",
        "4g.96gb+gfx, nvidia.com/mig-4g.96gb.gfx",
    })
    void spellsAProfileAsTheDevicePluginDoes(String profile, String resource) {
        assertThat(MigResources.resource(profile)).isEqualTo(resource);
        assertThat(MigResources.profile(resource)).hasValue(profile);
    }

    @Test
    void everyProfileComesBackFromItsResource() {
        for (DeviceModel model : Catalogue.builtin().models()) {
            if (model.scheme().equals("mig")) {
                for (SliceProfile profile : model.profiles()) {
                    assertThat(MigResources.profile(model, MigResources.resource(profile.name())))
                            .hasValue(profile);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nvidia.com/gpu", "nvidia.com/mig-1c.3g.20gb", "nvidia.com/mig-", "cpu", "1g.5gb"})
    void otherResourcesAreNoProfiles(String resource) {
        assertThat(MigResources.profile(resource)).isEmpty();
    }

    @Test
    void understandsThePrefixOfDas() {
        assertThat(MigResources.profile("mig.das.com/1g.5gb")).hasValue("1g.5gb");
        assertThat(MigResources.profile("mig.das.com/mig-1g.5gb.me")).hasValue("1g.5gb+me");
        assertThat(MigResources.profile("mig.das.com/1g.5gb-plus-me")).hasValue("1g.5gb+me");
        assertThat(MigResources.profile("mig.das.com/1g.24gb-plus-me.all")).hasValue("1g.24gb+me.all");
    }

    @Test
    void countsWhatTheDevicePluginAdvertises() {
        MigLayout sliced = new MigLayout(
                0,
                true,
                List.of(
                        new MigInstance("3g.20gb", 0, 4, List.of()),
                        new MigInstance("3g.20gb", 4, 4, List.of(1, 1, 1))));
        MigLayout whole = new MigLayout(1, false, List.of());
        assertThat(MigResources.advertised(MigStrategy.MIXED, List.of(sliced, whole)))
                .isEqualTo(Map.of("nvidia.com/gpu", 1, "nvidia.com/mig-3g.20gb", 1));
        assertThat(MigResources.advertised(MigStrategy.SINGLE, List.of(sliced))).isEqualTo(Map.of("nvidia.com/gpu", 1));
        assertThat(MigResources.advertised(MigStrategy.NONE, List.of(sliced, whole)))
                .isEqualTo(Map.of("nvidia.com/gpu", 2));
        assertThatThrownBy(() -> MigResources.advertised(MigStrategy.SINGLE, List.of(sliced, whole)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("3g.20gb, a whole device");
    }
}
