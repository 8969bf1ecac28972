package dev.sro.core.recipe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.ClusterFacts;
import dev.sro.api.KernelVersion;
import dev.sro.api.OsRelease;
import dev.sro.api.Pool;
import dev.sro.api.ProxySettings;
import dev.sro.core.model.ValueTrees;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RuntimeValuesTest {
    private static final Pool RHCOS = pool("4.18.0-305.45.1.el8_4.x86_64", "rhcos", "8.4");
    private static final Pool UBUNTU = pool("5.15.0-91-generic", "ubuntu", "22.04");

    private static final ClusterFacts OPENSHIFT = ClusterFacts.builder()
            .addServedKinds("config.openshift.io/v1/ClusterVersion")
            .openShiftVersion("4.10.0-fc.8")
            .machineOsImage("quay.example/os@sha256:1")
            .proxy(new ProxySettings("http://p", "https://p", ".local", "ca"))
            .putDriverToolkits("410.84.202201102104-0", "quay.example/dtk@sha256:84a")
            .putDriverToolkits("410.84.202206212304-0", "quay.example/dtk@sha256:84b")
            .putDriverToolkits("412.86.202301311516-0", "quay.example/dtk@sha256:86")
            .putDriverToolkits("latest", "quay.example/dtk@sha256:86")
            .putPushSecrets("kmod", "builder-dockercfg-x7k2p")
            .build();

    private static Pool pool(String kernel, String os, String version) {
        return new Pool(
                os, "hash", new KernelVersion(kernel), new OsRelease(os, version), "amd64", new TreeMap<>(), List.of());
    }

    private static Map<String, Object> values(ClusterFacts cluster, Pool pool) {
        return RuntimeValues.collect(cluster, Map.of("kind", "SpecialResource"), "kmod", List.of(RHCOS, UBUNTU), pool);
    }

    @Test
    void takeNothingFromAChart() {
        Map<String, Object> runtime = values(OPENSHIFT, RHCOS);
        Map<String, Object> chart = Map.of(
                "architecture",
                "replication",
                "platform",
                Map.of("name", "x"),
                "kernelFullVersion",
                "5.0",
                "proxy",
                Map.of());
        assertThat(RuntimeValues.forChart(runtime, chart))
                .as("ours, and a map")
                .doesNotContainKeys("architecture", "platform")
                .as("what the original overwrote")
                .containsEntry("kernelFullVersion", "4.18.0-305.45.1.el8_4.x86_64")
                .containsKey("proxy");
        assertThat(RuntimeValues.forChart(runtime, Map.of("architecture", ""))).containsEntry("architecture", "amd64");
        assertThat(RuntimeValues.overwritten(runtime, chart)).containsExactly("kernelFullVersion");
    }

    @Test
    void sayWhatOpenShiftIs() {
        assertThat(values(OPENSHIFT, RHCOS))
                .containsEntry("kind", "Values")
                .containsEntry("platform", "OCP")
                .containsEntry("operatingSystemMajor", "rhel8")
                .containsEntry("operatingSystemMajorMinor", "rhel8.4")
                .containsEntry("operatingSystemDecimal", "8.4")
                .containsEntry("kernelFullVersion", "4.18.0-305.45.1.el8_4.x86_64")
                .containsEntry("kernelPatchVersion", "4.18.0-305")
                .containsEntry("clusterVersion", "4.10.0-fc.8")
                .containsEntry("clusterVersionMajorMinor", "4.10")
                .containsEntry("osImageURL", "quay.example/os@sha256:1")
                .containsEntry("pushSecretName", "builder-dockercfg-x7k2p")
                .containsEntry("driverToolkitImage", "quay.example/dtk@sha256:84b")
                .containsEntry(
                        "proxy",
                        Map.of(
                                "httpProxy", "http://p",
                                "httpsProxy", "https://p",
                                "noProxy", ".local",
                                "trustedCA", "ca"));
    }

    @Test
    void makeSenseElsewhere() {
        assertThat(values(ClusterFacts.builder().build(), UBUNTU))
                .containsEntry("platform", "K8S")
                .containsEntry("operatingSystemMajor", "ubuntu22")
                .containsEntry("operatingSystemMajorMinor", "ubuntu22.04")
                .containsEntry("kernelPatchVersion", "5.15.0-91")
                .containsEntry("clusterVersion", "")
                .containsEntry("clusterVersionMajorMinor", "")
                .containsEntry("driverToolkitImage", "")
                .containsEntry("pushSecretName", "");
    }

    @ParameterizedTest
    @CsvSource({
        "rhel, 9.4, 5.14.0-427.11.1.el9_4.x86_64, rhel9, rhel9.4, 5.14.0-427",
        "rhcos, 9.4, 5.14.0-427.11.1.el9_4.x86_64, rhel9, rhel9.4, 5.14.0-427",
        "sles, 15.5, 5.14.21-150500.55.44-default, sles15, sles15.5, 5.14.21-150500",
        "flatcar, 3815.2.1, 6.1.82-flatcar, flatcar3815, flatcar3815.2.1, 6.1.82",
        "talos, v1.7.0, 6.6.28-talos, talosv1, talosv1.7.0, 6.6.28",
        "debian, 12, 6.1.0-18-amd64, debian12, debian12, 6.1.0-18"
    })
    void nameEverySystem(String os, String version, String kernel, String major, String majorMinor, String patch) {
        assertThat(values(ClusterFacts.builder().build(), pool(kernel, os, version)))
                .containsEntry("operatingSystemMajor", major)
                .containsEntry("operatingSystemMajorMinor", majorMinor)
                .containsEntry("operatingSystemDecimal", version)
                .containsEntry("kernelFullVersion", kernel)
                .containsEntry("kernelPatchVersion", patch);
    }

    @Test
    void haveEveryKernelOfTheClusterInBothSpellings() {
        Map<String, Object> info = ValueTrees.map(values(OPENSHIFT, RHCOS), "clusterUpgradeInfo");

        assertThat(info).containsOnlyKeys("4.18.0-305.45.1.el8_4.x86_64", "5.15.0-91-generic");
        Map<String, Object> one = ValueTrees.map(info, "4.18.0-305.45.1.el8_4.x86_64");
        assertThat(one)
                .containsEntry("OSVersion", "8.4")
                .containsEntry("oSVersion", "8.4")
                .containsEntry("OSMajorMinor", "rhel8.4")
                .containsEntry("clusterVersion", "4.10");
        assertThat(ValueTrees.text(one, "driverToolkit", "imageURL")).isEqualTo("quay.example/dtk@sha256:84b");
    }

    @Test
    void takeTheNewestToolkitWhereNoneIsForTheSystem() {
        assertThat(values(OPENSHIFT, pool("5.14.0-284.el9_2.x86_64", "rhcos", "9.2")))
                .containsEntry("driverToolkitImage", "quay.example/dtk@sha256:86");
    }

    @Test
    void takeTheToolkitThatHasTheKernelWhateverItsTagSays() {
        ClusterFacts read = ClusterFacts.builder()
                .from(OPENSHIFT)
                .putDriverToolkitKernels("4.18.0-305.45.1.el8_4.x86_64", "quay.example/dtk@sha256:84a")
                .putDriverToolkitKernels("5.14.0-284.el9_2.x86_64", "quay.example/dtk@sha256:92")
                .build();
        assertThat(values(read, RHCOS)).containsEntry("driverToolkitImage", "quay.example/dtk@sha256:84a");
        assertThat(values(read, pool("5.14.0-284.el9_2", "rhcos", "9.2")))
                .as("a kernel without its architecture")
                .containsEntry("driverToolkitImage", "quay.example/dtk@sha256:92");
    }
}
