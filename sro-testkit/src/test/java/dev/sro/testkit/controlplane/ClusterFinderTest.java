package dev.sro.testkit.controlplane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Which cluster is taken, and what is said where there is none. Nothing is started. */
final class ClusterFinderTest {
    @TempDir
    private Path home;

    private ClusterFinder finder(Map<String, String> environment) {
        return new ClusterFinder(environment, "Linux", "amd64", home);
    }

    private static void programs(Path directory, Component... components) throws IOException {
        Files.createDirectories(directory);
        for (Component component : components) {
            Path file = Files.createFile(directory.resolve(component.program()));
            assumeTrue(file.toFile().setExecutable(true), "this file system has no executable files");
        }
    }

    @Test
    void aTestIsSkippedWithAllThatCouldBeDone() {
        SharedCluster shared = SharedCluster.of(finder(Map.of()));

        String reason = shared.missing(Set.of());
        assertThat(reason)
                .contains("SRO_TEST_KUBECONFIG", "SRO_CONTROL_PLANE_DIR", ".ci/control-plane/build.sh")
                .contains("SRO_CONTROL_PLANE_DOWNLOAD")
                .contains(home.resolve(".cache/sro/control-plane").toString());
        assertThat(ControlPlaneExtension.decide(reason, false, "").isDisabled()).isTrue();
        assertThat(ControlPlaneExtension.decide(reason, false, "").getReason()).contains(reason);
    }

    @Test
    void aTestFailsWhereAControlPlaneIsRequired() {
        assertThat(finder(Map.of("SRO_CONTROL_PLANE", "required")).isRequired()).isTrue();
        assertThat(finder(Map.of()).isRequired()).isFalse();
        assertThatThrownBy(() -> ControlPlaneExtension.decide("there is none", true, ""))
                .isInstanceOf(ControlPlaneException.class)
                .hasMessageContaining("there is none");
    }

    @Test
    void aModeThatIsNoneIsAnError() {
        assertThatThrownBy(() -> finder(Map.of("SRO_CONTROL_PLANE", "yes")).isRequired())
                .isInstanceOf(ControlPlaneException.class)
                .hasMessageContaining("auto or required");
    }

    @Test
    void whatTheBuildScriptMadeIsFound() throws IOException {
        programs(home.resolve("c/sro/control-plane/" + ClusterFinder.KUBERNETES + "-linux-amd64"), Component.values());

        SharedCluster shared = SharedCluster.of(
                finder(Map.of("XDG_CACHE_HOME", home.resolve("c").toString())));
        assertThat(shared.features()).containsExactlyInAnyOrder(Feature.values());
        assertThat(shared.missing(EnumSet.allOf(Feature.class))).isEmpty();
    }

    @Test
    void aDirectoryIsTakenBeforeWhatWasBuilt() throws IOException {
        programs(
                home.resolve(".cache/sro/control-plane/" + ClusterFinder.KUBERNETES + "-linux-amd64"),
                Component.values());
        programs(home.resolve("given"), Component.ETCD, Component.API_SERVER);

        SharedCluster shared = SharedCluster.of(
                finder(Map.of("SRO_CONTROL_PLANE_DIR", home.resolve("given").toString())));
        assertThat(shared.features()).containsExactly(Feature.RESTART);
        assertThat(shared.missing(Set.of(Feature.NODES, Feature.RESTART)))
                .contains("NODES", "given")
                .doesNotContain("RESTART");
    }

    @Test
    void aDirectoryWithoutAnApiServerIsAnError() throws IOException {
        programs(home.resolve("given"), Component.ETCD, Component.KWOK);

        assertThatThrownBy(() -> SharedCluster.of(finder(
                        Map.of("SRO_CONTROL_PLANE_DIR", home.resolve("given").toString()))))
                .isInstanceOf(ControlPlaneException.class)
                .hasMessageContaining("no kube-apiserver");
    }

    @Test
    void aKubeconfigIsTakenBeforeAllOthersAndOnAnySystem() throws IOException {
        Path kubeconfig = Files.createFile(home.resolve("config"));
        Map<String, String> environment =
                Map.of("SRO_TEST_KUBECONFIG", kubeconfig.toString(), "SRO_CONTROL_PLANE_DIR", "/nowhere");

        SharedCluster shared = SharedCluster.of(new ClusterFinder(environment, "Windows 11", "amd64", home));
        assertThat(shared.features()).containsExactlyInAnyOrder(Feature.CONTROLLERS, Feature.SCHEDULER);
        assertThat(shared.missing(Set.of(Feature.NODES)))
                .as("nobody wants toy nodes in a cluster with real ones")
                .contains("NODES");
    }

    @Test
    void aKubeconfigThatIsNotThereIsAnError() {
        assertThatThrownBy(() -> finder(Map.of(
                                "SRO_TEST_KUBECONFIG", home.resolve("none").toString()))
                        .find())
                .isInstanceOf(ControlPlaneException.class)
                .hasMessageContaining("cannot be read");
    }

    @Test
    void nothingIsStartedOnOtherSystems() throws IOException {
        programs(home.resolve("given"), Component.values());
        Map<String, String> environment =
                Map.of("SRO_CONTROL_PLANE_DIR", home.resolve("given").toString());

        SharedCluster shared = SharedCluster.of(new ClusterFinder(environment, "Mac OS X", "aarch64", home));
        assertThat(shared.missing(Set.of())).contains("Linux only");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void whatKubeApiTestDownloadedIsUsed() throws IOException {
        String arch = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64";
        Path directory = home.resolve("k8s/" + ClusterFinder.KUBERNETES + "-linux-" + arch);
        programs(directory, Component.ETCD, Component.API_SERVER);
        Files.createFile(directory.resolve("kubectl"));

        Binaries binaries = Download.binaries(ClusterFinder.KUBERNETES, home);
        assertThat(binaries.features()).containsExactly(Feature.RESTART);
        assertThat(binaries.file(Component.API_SERVER)).isEqualTo(directory.resolve("kube-apiserver"));
    }

    @Test
    void theVersionIsTheOneThatTheBuildScriptBuilds() throws IOException {
        Path module = Path.of("../.ci/control-plane/go.mod");
        assumeTrue(Files.exists(module), "not in the source tree");

        assertThat(Files.readString(module)).contains("k8s.io/kubernetes v" + ClusterFinder.KUBERNETES);
    }
}
