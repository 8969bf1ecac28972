package dev.sro.testkit.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.driver.RegistrySecurity;
import dev.sro.core.driver.RegistryProbe;
import dev.sro.core.image.RegistrySettings;
import dev.sro.testkit.sim.SimRegistry;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SimulatedLooksTest {

    private final SimRegistry registry = new SimRegistry();
    private final SimulatedLooks looks = new SimulatedLooks(registry);

    private RegistryProbe.Finding look(String image) {
        return looks.look(
                new RegistryProbe.Query(image, "amd64", Optional.empty(), RegistrySecurity.CHECKED, "acme", List.of()),
                RegistrySettings.NONE);
    }

    @Test
    void findsWhatKubeletsCanPullAndNothingElse() {
        assertThat(look("other.example/a:1").kind()).isEqualTo(RegistryProbe.Kind.FOUND);

        registry.onlyPushed("registry.example/*");
        assertThat(look("registry.example/a:1"))
                .isEqualTo(RegistryProbe.Finding.of(
                        RegistryProbe.Kind.MISSING,
                        "registry.example/a:1 is not in the simulated registry, as nobody pushed it"));

        registry.push("registry.example/a:1");
        assertThat(look("registry.example/a:1").kind()).isEqualTo(RegistryProbe.Kind.FOUND);

        registry.remove("registry.example/a:1");
        assertThat(look("registry.example/a:1").kind()).isEqualTo(RegistryProbe.Kind.MISSING);
    }

    @Test
    void whatItFoundCanBePulledByItsDigest() {
        registry.onlyPushed("registry.example/*").push("registry.example/a:1");

        String digest = look("registry.example/a:1").digest();

        assertThat(digest).matches("sha256:[0-9a-f]{64}");
        assertThat(registry.exists("registry.example/a:1@" + digest)).isTrue();
        assertThat(registry.exists("registry.example/b:1@" + digest)).isFalse();
    }
}
