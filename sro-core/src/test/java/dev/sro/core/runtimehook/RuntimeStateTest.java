package dev.sro.core.runtimehook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.api.KernelVersion;
import dev.sro.api.OsRelease;
import dev.sro.api.Outcome;
import dev.sro.api.Pool;
import dev.sro.api.Problem;
import dev.sro.api.device.Decoration;
import dev.sro.api.device.OciHook;
import dev.sro.api.device.RuntimeConfiguration;
import dev.sro.api.device.RuntimeDropIn;
import dev.sro.core.driver.Drivers;
import dev.sro.core.driver.PoolDriver;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.recipe.RecipeFailure;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class RuntimeStateTest {

    private static final Decoration NIC = Decoration.builder()
            .kind("vendor.example/nic")
            .addDevices("/dev/nic")
            .activationFlag("NIC")
            .hookPath("/usr/libexec/nic-hook")
            .build();

    private static RuntimeVariant variant(String content) {
        return RuntimeVariant.of(RuntimeConfiguration.builder()
                .addDropIns(new RuntimeDropIn(RuntimeDropIn.Engine.CRIO, "99-nic.conf", content))
                .build());
    }

    private static RuntimeState state(RuntimeVariant... variants) {
        SortedMap<String, RuntimeVariant> all = new TreeMap<>();
        for (RuntimeVariant variant : variants) {
            all.put(variant.digest(), variant);
        }
        return RuntimeState.of(all, Map.of(), RuntimeState.DEFAULT_IMAGE);
    }

    private static String code(RuntimeState state) {
        Outcome outcome = state.obstacle(
                        new Pool(
                                "p",
                                "0123456789abcdef",
                                new KernelVersion("5.14.0-1.el9.x86_64"),
                                new OsRelease("rhel", "9.4"),
                                "amd64",
                                new TreeMap<>(),
                                List.of()),
                        PoolDriver.NONE)
                .orElseThrow();
        return outcome instanceof Outcome.Failed failed ? failed.problem().code() : "";
    }

    @Test
    void everyKindOfFileHasItsPlace() {
        RuntimeVariant variant = RuntimeVariant.of(RuntimeConfiguration.builder()
                .addDecorations(NIC)
                .addOciHooks(OciHook.builder()
                        .name("nic-other")
                        .path("/usr/libexec/other")
                        .addStages("createRuntime")
                        .build())
                .addDropIns(
                        new RuntimeDropIn(RuntimeDropIn.Engine.CONTAINERD, "nic.toml", "a = 1"),
                        new RuntimeDropIn(RuntimeDropIn.Engine.CRIO, "99-nic.conf", "a = 1"),
                        new RuntimeDropIn(RuntimeDropIn.Engine.DOCKER, "nic.json", "{}"))
                .build());

        assertThat(variant.files().keySet())
                .containsExactly(
                        "/etc/containerd/conf.d/nic.toml",
                        "/etc/containers/oci/hooks.d/nic-other.json",
                        "/etc/containers/oci/hooks.d/vendor.example-nic.json",
                        "/etc/crio/crio.conf.d/99-nic.conf",
                        "/etc/docker/nic.json",
                        "/etc/oci-injector-hook/vendor.example-nic.json",
                        "/var/run/cdi/vendor.example-nic.json");
    }

    @Test
    void twoFilesOfOnePathAreTheVendorsProblem() {
        RuntimeConfiguration twice = RuntimeConfiguration.builder()
                .addDecorations(NIC)
                .addOciHooks(OciHook.builder()
                        .name("vendor.example-nic")
                        .path("/usr/libexec/other")
                        .addStages("prestart")
                        .build())
                .build();

        assertThatThrownBy(() -> RuntimeVariant.of(twice))
                .isInstanceOf(RecipeFailure.class)
                .hasMessage("RuntimeHook.runtime() gives a node two files"
                        + " /etc/containers/oci/hooks.d/vendor.example-nic.json; give one of them another name");
    }

    @Test
    void hasLimits() {
        RuntimeVariant[] many = new RuntimeVariant[65];
        for (int i = 0; i < many.length; i++) {
            many[i] = variant("a = " + i);
        }

        assertThat(code(state(many))).isEqualTo("TooManyRuntimeVariants");
        assertThat(code(state(variant("x".repeat(600_000))))).isEqualTo("RuntimeFilesTooLarge");
        assertThat(code(RuntimeState.of(
                        new TreeMap<>(), Map.of("nic", new TreeSet<>(List.of("a", "b"))), RuntimeState.DEFAULT_IMAGE)))
                .isEqualTo("RuntimeClassAmbiguous");
        assertThat(state(variant("a = 1")).problem()).isEqualTo(Optional.<Problem>empty());
        assertThat(state().isIn(Drivers.NONE)).as("nothing to do").isFalse();
    }

    @Test
    void itsPodsMayDoLittleAndRunWhatThePluginNames() {
        RuntimeVariant variant = RuntimeVariant.of(RuntimeConfiguration.builder()
                .addDecorations(NIC)
                .image("registry.example/shell:1")
                .build());
        List<KubeObject> objects =
                new PlacerObjects("nic", "nic-ns", false).of(variant.digest(), variant, RuntimeState.DEFAULT_IMAGE);
        Map<String, Object> spec = ValueTrees.map(objects.get(1).tree(), "spec", "template", "spec");
        Map<String, Object> container = ValueTrees.maps(spec, "containers").get(0);

        assertThat(container).containsEntry("image", "registry.example/shell:1");
        assertThat(ValueTrees.map(container, "securityContext"))
                .containsEntry("allowPrivilegeEscalation", false)
                .containsEntry("capabilities", Map.of("drop", List.of("ALL")))
                .containsEntry("readOnlyRootFilesystem", true)
                .doesNotContainKey("privileged");
        assertThat(spec).containsEntry("automountServiceAccountToken", false);
        assertThat(ValueTrees.maps(spec, "volumes"))
                .filteredOn(volume -> volume.containsKey("hostPath"))
                .extracting(volume -> ValueTrees.text(volume, "hostPath", "path"))
                .containsExactly(
                        "/etc/containers/oci/hooks.d",
                        "/etc/oci-injector-hook",
                        "/var/lib/sro/runtime",
                        "/var/run/cdi");
    }

    @Test
    void longNamesAreCutAndStayApart() {
        RuntimeVariant variant = variant("a = 1");
        String first = name("n".repeat(60) + "a", variant);

        assertThat(first).hasSizeLessThanOrEqualTo(63).isNotEqualTo(name("n".repeat(60) + "b", variant));
    }

    private static String name(String specialResource, RuntimeVariant variant) {
        return new PlacerObjects(specialResource, "ns", false)
                .of(variant.digest(), variant, RuntimeState.DEFAULT_IMAGE)
                .get(1)
                .ref()
                .name();
    }
}
