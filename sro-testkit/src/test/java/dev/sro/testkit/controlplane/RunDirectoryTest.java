package dev.sro.testkit.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What killed runs left behind is told from what others use. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "control planes are started on Linux only")
final class RunDirectoryTest {
    /** More than any process id on Linux. */
    private static final long NOBODY = 99_999_999;

    @TempDir
    private Path root;

    @Test
    void aProgramIsOursByItsName() {
        assertThat(RunDirectory.isOurs("/opt/bin/kube-apiserver")).isTrue();
        assertThat(RunDirectory.isOurs("/bin/true")).isFalse();
        assertThat(RunDirectory.isOurs("/")).isFalse();
    }

    @Test
    void endsTheProcessesOfAKilledRun() throws Exception {
        Path left = Files.createDirectory(root.resolve("run-" + NOBODY + "-1000-0a1b2c3d"));
        Files.writeString(left.resolve("tokens.csv"), "secret");
        Process etcd = pretendEtcd(left);
        Process foreign = pretendEtcd(root.resolve("elsewhere"));
        try {
            assertThat(RunDirectory.reap(root)).containsExactly(left);

            assertThat(etcd.waitFor(10, TimeUnit.SECONDS)).isTrue();
            assertThat(left).doesNotExist();
            assertThat(foreign.isAlive()).as("a process of somebody else").isTrue();
        } finally {
            etcd.destroyForcibly();
            foreign.destroyForcibly();
        }
    }

    /** A shell under the name of a component, which waits for input that never comes. */
    private Process pretendEtcd(Path argument) throws IOException {
        Path program = root.resolve("etcd");
        if (!Files.exists(program)) {
            Files.copy(Path.of("/bin/sh").toRealPath(), program);
            assertThat(program.toFile().setExecutable(true)).isTrue();
        }
        return new ProcessBuilder(program.toString(), "-c", "read answer", "--data-dir=" + argument + "/etcd").start();
    }

    @Test
    void leavesARunThatGoesOnAlone() throws IOException {
        RunDirectory ours = RunDirectory.create(root);

        RunDirectory another = RunDirectory.create(root);
        assertThat(ours.path()).exists().isNotEqualTo(another.path());
    }

    @Test
    void aProcessIdThatIsUsedAgainIsNotTheRun() throws IOException {
        Path left = Files.createDirectory(
                root.resolve("run-" + ProcessHandle.current().pid() + "-1000-0a1b2c3d"));

        assertThat(RunDirectory.reap(root)).containsExactly(left);
    }

    @Test
    void leavesWhatIsNoRunAlone() throws IOException {
        Files.createDirectory(root.resolve("mine"));

        assertThat(RunDirectory.reap(root)).isEmpty();
        assertThat(root.resolve("mine")).exists();
    }

    @Test
    void objectsOfKilledRunsAreFoundByTheirLabel() {
        RunId self = RunId.ofThisProcess();
        Instant now = Instant.parse("2026-11-21T12:00:00Z");
        List<Namespace> namespaces = List.of(
                namespace("ours", self.label(), now),
                namespace("killed", new RunId(self.host(), NOBODY, 1000).label(), now),
                namespace("reused-pid", new RunId(self.host(), self.pid(), 1000).label(), now),
                namespace("elsewhere", new RunId(self.host() + "0", 1, 1000).label(), now),
                namespace(
                        "elsewhere-old", new RunId(self.host() + "0", 1, 1000).label(), now.minus(Duration.ofDays(1))));

        assertThat(StaleRunCleanup.find(namespaces, self, now))
                .extracting(n -> n.getMetadata().getName())
                .containsExactly("killed", "reused-pid", "elsewhere-old");
    }

    private static Namespace namespace(String name, String run, Instant created) {
        return new NamespaceBuilder()
                .withNewMetadata()
                .withName(name)
                .addToLabels(RunId.LABEL, run)
                .withCreationTimestamp(created.toString())
                .endMetadata()
                .build();
    }
}
