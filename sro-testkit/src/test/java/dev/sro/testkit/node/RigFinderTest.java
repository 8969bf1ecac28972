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
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RigFinderTest {
    private static final String KERNEL = "6.12.1+x-amd64";

    @TempDir
    private Path home;

    private final Map<String, String> environment = new TreeMap<>();
    private Supplier<Binaries> controlPlane = () -> new Binaries(
            Map.of(Component.ETCD, Path.of("/bin/etcd"), Component.API_SERVER, Path.of("/bin/kube-apiserver")));

    @BeforeEach
    void installPrograms() throws IOException {
        Path programs = Files.createDirectory(home.resolve("bin"));
        for (String program : new String[] {"qemu-system-x86_64", "docker-registry", "git", "tar", "cp"}) {
            assertThat(Files.createFile(programs.resolve(program)).toFile().setExecutable(true))
                    .isTrue();
        }
        environment.put("PATH", programs.toString());
    }

    private RigFinder finder() {
        return new RigFinder(environment, home, controlPlane);
    }

    private Path rig(String... leaveOut) throws IOException {
        Path directory = Files.createDirectories(home.resolve(".cache/sro/real-node/current"));
        for (String file : new String[] {
            "root.img", "kubelet-clients.crt", "apiserver.crt", "apiserver.key", "vmlinuz-" + KERNEL, "initrd-" + KERNEL
        }) {
            if (!List.of(leaveOut).contains(file)) {
                Files.createFile(directory.resolve(file));
            }
        }
        Files.createDirectory(directory.resolve("registry"));
        Files.writeString(directory.resolve("kernels"), KERNEL + "\n");
        return directory;
    }

    @Test
    void whereNothingIsSetAndNothingIsMadeTestsAreSkippedWithTheReason() {
        assertThat(finder().missing())
                .contains("SRO_REAL_NODE_DIR is not set")
                .contains(home.resolve(".cache/sro/real-node/current").toString())
                .contains(".ci/real-node/build.sh makes it");
        assertThat(RealNodeExtension.decide(finder().missing(), false).isDisabled())
                .isTrue();
    }

    @Test
    void findsWhatTheScriptMade() throws IOException {
        rig();

        assertThat(finder().missing()).isEmpty();
        assertThat(finder().find().kernels()).containsExactly(KERNEL);
        assertThat(RealNodeExtension.decide(finder().missing(), true).isDisabled())
                .isFalse();
    }

    @Test
    void aSettingThatNamesNothingIsAnError() {
        environment.put(RigFinder.DIRECTORY, home.resolve("other").toString());

        assertThatThrownBy(() -> finder().find())
                .isInstanceOf(RealNodeException.class)
                .hasMessageContaining(home.resolve("other") + " has no root.img, no kernels, no registry");
    }

    @Test
    void anIncompleteRigSaysWhatItLacks() throws IOException {
        rig("initrd-" + KERNEL);

        assertThatThrownBy(() -> finder().find())
                .hasMessageContaining(" has no initrd-" + KERNEL)
                .hasMessageContaining(".ci/real-node/build.sh");
    }

    @Test
    void programsThatAreNotInstalledAreNamed() throws IOException {
        rig();
        Files.delete(home.resolve("bin/qemu-system-x86_64"));
        Files.delete(home.resolve("bin/git"));

        assertThat(finder().missing()).endsWith("not on the PATH: qemu-system-x86_64, git");
    }

    @Test
    void aControlPlaneThatIsMissingIsTheReason() throws IOException {
        rig();
        controlPlane = () -> Binaries.in(home.resolve("none"));

        assertThat(finder().missing())
                .startsWith("no real nodes: " + home.resolve("none") + " has no etcd, no kube-apiserver");
    }

    @Test
    void whatIsRequiredFailsWhereItIsMissing() {
        environment.put(RigFinder.MODE, "required");

        assertThat(finder().isRequired()).isTrue();
        assertThatThrownBy(() -> RealNodeExtension.decide(finder().missing(), true))
                .hasMessageStartingWith("SRO_REAL_NODE is required, but no real nodes");
        environment.put(RigFinder.MODE, "yes");
        assertThatThrownBy(() -> finder().isRequired()).hasMessage("SRO_REAL_NODE is auto or required, not yes");
    }
}
