package dev.sro.plugins.solarflare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.DeviceMatcher.Presence;
import dev.sro.api.NodeFacts;
import dev.sro.api.RecipeContext;
import dev.sro.api.State;
import dev.sro.api.device.CdiSpec;
import dev.sro.api.device.RuntimeConfiguration;
import dev.sro.api.operation.PodUse;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the plugin says of nodes, containers, pods and its states. */
class OnloadPluginTest {

    private final OnloadPlugin plugin = new OnloadPlugin();

    @Test
    void whatComesFirstAfterTheModulesSaysThatTheNetworkDriverIsThere() {
        assertThat(providers(Onload.MINIMUM)).containsExactly("1000-user-files");
        String filesInTheModules = Onload.MINIMUM.replace("  userImage: registry.example/user:1\n", "");
        assertThat(providers(filesInTheModules)).containsExactly("2000-device-plugin");
    }

    private List<String> providers(String config) {
        return plugin.states(Onload.settings(config)).states().stream()
                .filter(state -> state.provides().equals(Set.of("network-driver")))
                .map(State::id)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "pci-1924.present",
                "pci-0200_1924.present",
                "pci-0200_1924_0b03.present",
                "pci-0200_1924_0b03_1924_8028.present",
                "pci-1924_0b03.present",
                "pci-10ee.present",
                "pci-0200_10ee.present",
                "pci-0200_10ee_5084.present"
            })
    void findsAdaptersByAllFormsOfLabels(String label) {
        assertThat(presence(label, "true")).isEqualTo(Presence.PRESENT);
    }

    @ParameterizedTest
    @CsvSource({
        "pci-1200_10ee.present, true",
        "pci-0200_15b3.present, true",
        "pci-0200_1924.present, false",
        "pci-0200_1924.sriov.capable, true",
        "cpu-1924.present, true"
    })
    void leavesOtherDevicesAlone(String label, String value) {
        assertThat(presence(label, value)).isEqualTo(Presence.ABSENT);
    }

    private Presence presence(String label, String value) {
        NodeFacts node = NodeFacts.builder()
                .from(Onload.NODE)
                .putLabels("feature.node.kubernetes.io/" + label, value)
                .build();
        return plugin.match(node, Onload.settings(Onload.MINIMUM));
    }

    @Test
    void containerRuntimesGetTheSameAsTheDevicePluginGives() {
        RuntimeConfiguration runtime = plugin.runtime(
                Onload.NODE,
                Onload.settings(Onload.MINIMUM.replace(
                                ":3\"}",
                                ":3\", setPreload: false, mountOnload: true, libMounthPath: /lib, baseMountPath: /o}")
                        + "decorator: {libraries: [/usr/lib64/libx.so], devices: [/dev/x]}\n"));

        assertThat(runtime.cdi()).singleElement().extracting(CdiSpec::kind).isEqualTo("amd.com/onload");
        assertThat(runtime.cdi().get(0).devices().get("all")).satisfies(edits -> {
            assertThat(Objects.requireNonNull(edits).environment()).isEmpty();
            assertThat(edits.mounts())
                    .extracting(mount -> mount.hostPath() + " " + mount.containerPath())
                    .containsExactly(
                            "/opt/onload/usr/lib64/libonload.so /o/lib/libonload.so",
                            "/opt/onload/usr/bin/onload /o/usr/bin/onload");
        });
        assertThat(runtime.decorations())
                .singleElement()
                .satisfies(decoration -> assertThat(decoration.kind()).isEqualTo("amd.com/onload-files"));
        assertThat(plugin.runtime(Onload.NODE, Onload.settings(Onload.MINIMUM + "cdi: false\n"))
                        .isEmpty())
                .isTrue();
    }

    @Test
    void aFileOfTheInjectorHookCanBePastedAsDecorator() {
        String file = """
            {"activation_flag": "ONLOAD=yes", "devices": ["/dev/onload"], "binaries": ["/usr/bin/onload"],
             "libraries": ["/usr/lib64/libonload.so"], "directories": ["/var/run/onload"], "miscellaneous": ["/etc/sfc.conf"]}
            """.replace('\n', ' ');

        RuntimeConfiguration runtime =
                plugin.runtime(Onload.NODE, Onload.settings(Onload.MINIMUM + "decorator: " + file + "\n"));

        assertThat(runtime.decorations()).singleElement().satisfies(decoration -> {
            assertThat(decoration.activationFlag()).contains("ONLOAD=yes");
            assertThat(decoration.devices()).containsExactly("/dev/onload");
            assertThat(decoration.binaries()).containsExactly("/usr/bin/onload");
            assertThat(decoration.libraries()).containsExactly("/usr/lib64/libonload.so");
            assertThat(decoration.directories()).containsExactly("/var/run/onload");
            assertThat(decoration.miscellaneous()).containsExactly("/etc/sfc.conf");
        });
    }

    @Test
    void theNameOfTheResourceIsASetting() {
        PodUse usual = new PodUse("a", "b", Map.of(), Map.of("amd.com/onload", "1"), Set.of());
        PodUse other = new PodUse("a", "b", Map.of(), Map.of("example.com/onload", "1"), Set.of());
        RecipeContext renamed =
                Onload.settings(Onload.MINIMUM.replace(":3\"}", ":3\", resourceName: example.com/onload}"));

        assertThat(plugin.usesDevice(usual, Onload.settings(Onload.MINIMUM))).isTrue();
        assertThat(plugin.usesDevice(other, Onload.settings(Onload.MINIMUM))).isFalse();
        assertThat(plugin.usesDevice(other, renamed)).isTrue();
        assertThat(plugin.usesDevice(usual, renamed)).isFalse();
    }
}
