package dev.sro.testkit.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.testkit.controlplane.Binaries;
import dev.sro.testkit.controlplane.Component;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KubeletProgramsTest {
    private static final Binaries CONTROL_PLANE = new Binaries(
            Map.of(Component.ETCD, Path.of("/bin/etcd"), Component.API_SERVER, Path.of("/bin/kube-apiserver")));

    @TempDir
    private Path home;

    private final Map<String, String> environment = new TreeMap<>();

    @BeforeEach
    void install() throws IOException {
        program(
                "kubelets",
                "node",
                "kubelet",
                "containerd",
                "containerd-shim-runc-v2",
                "ptp",
                "loopback",
                "host-local");
        program("kubelets", "probe", "busybox", "devices");
        program("bin", "runc", "ip", "unshare", "nsenter", "mount", "tar");
        environment.put("PATH", home.resolve("bin").toString());
        environment.put("SRO_KUBELET_DIR", home.resolve("kubelets").toString());
    }

    private void program(String folder, String... names) throws IOException {
        Path directory = Files.createDirectories(home.resolve(folder));
        for (String name : names) {
            assertThat(Files.createFile(directory.resolve(name)).toFile().setExecutable(true))
                    .isTrue();
        }
    }

    private KubeletPrograms.Finder finder(String system, boolean root) {
        return new KubeletPrograms.Finder(new Surroundings(environment), system, root, () -> CONTROL_PLANE);
    }

    @Test
    void allThatIsThereIsFound() {
        assertThat(finder("linux", true).missing()).isEmpty();
        KubeletPrograms found = finder("linux", true).find();
        assertThat(found.file("kubelet")).isEqualTo(home.resolve("kubelets/kubelet"));
        assertThat(found.controlPlane()).isEqualTo(CONTROL_PLANE);
    }

    @Test
    void whatIsNotThereIsNamed() throws IOException {
        Files.delete(home.resolve("kubelets/ptp"));
        assertThat(finder("linux", true).missing()).contains("has no ptp").contains(".ci/real-node/here.sh");
        assertThatThrownBy(() -> finder("linux", true).find())
                .isInstanceOf(RealNodeException.class)
                .hasMessageContaining("has no ptp");
        environment.remove("SRO_KUBELET_DIR");
        assertThat(finder("linux", true).missing()).contains("SRO_KUBELET_DIR is not set");
    }

    @Test
    void itTakesLinuxRootAndProgramsOfTheMachine() throws IOException {
        assertThat(finder("mac os x", true).missing()).contains("Linux and to be root");
        assertThat(finder("linux", false).missing()).contains("Linux and to be root");
        // Nowhere but here.
        List.of("tar", "runc")
                .forEach(name -> assertThat(
                                home.resolve("bin").resolve(name).toFile().delete())
                        .isTrue());
        assertThat(finder("linux", true).missing()).contains("not on the PATH").contains("tar");
    }

    @Test
    void aControlPlaneIsNeededToo() {
        KubeletPrograms.Finder without = new KubeletPrograms.Finder(
                new Surroundings(environment), "linux", true, () -> Binaries.in(home.resolve("nowhere")));
        assertThat(without.missing()).startsWith("no kubelet here: ").contains("nowhere");
    }

    @Test
    void whetherItIsRequiredIsOneOfTwoWords() {
        assertThat(finder("linux", true).isRequired()).isFalse();
        environment.put("SRO_KUBELET", "required");
        assertThat(finder("linux", true).isRequired()).isTrue();
        environment.put("SRO_KUBELET", "yes");
        assertThatThrownBy(() -> finder("linux", true).isRequired())
                .isInstanceOf(RealNodeException.class)
                .hasMessageContaining("SRO_KUBELET is auto or required, not yes");
    }
}
