package dev.sro.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.api.driver.KernelModule;
import dev.sro.api.driver.LoadExecutor;
import dev.sro.api.driver.LoadPlan;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files on a node that pods wait for. */
class NodeBarrierTest {

    private static final NodeBarrier MODULES = NodeBarrier.of("onload", "modules");
    private static final NodeBarrier FILES = NodeBarrier.of("onload", "files");

    @TempDir
    private Path root;

    private boolean holds(String condition) throws IOException, InterruptedException {
        String here = condition.replace("/run/sro/barriers/onload", root.toString());
        Process shell = new ProcessBuilder("/bin/sh", "-c", here)
                .redirectErrorStream(true)
                .start();
        assertThat(new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEmpty();
        assertThat(shell.waitFor(20, TimeUnit.SECONDS)).isTrue();
        return shell.exitValue() == 0;
    }

    @Test
    void anyContentOpensABarrierThatSaysNothing() throws Exception {
        assertThat(MODULES.path()).isEqualTo("/run/sro/barriers/onload/modules");
        assertThat(holds(MODULES.isOpen())).isFalse();
        Files.writeString(root.resolve("modules"), "driver-1\n");
        assertThat(holds(MODULES.isOpen())).isTrue();
    }

    @Test
    void oneThatSaysSomethingIsOpenForThatAlone() throws Exception {
        NodeBarrier barrier = MODULES.saying("driver-2");
        assertThat(holds(barrier.isOpen())).isFalse();
        Files.writeString(root.resolve("modules"), "driver-1\n");
        assertThat(holds(barrier.isOpen())).isFalse();
        Files.writeString(root.resolve("modules"), "driver-2\n");
        assertThat(holds(barrier.isOpen())).isTrue();
    }

    @Test
    void twoThatBelongTogetherSayTheSame() throws Exception {
        Files.writeString(root.resolve("files"), "driver-1\n");
        assertThat(holds(FILES.isOpenFor(MODULES))).isFalse();
        Files.writeString(root.resolve("modules"), "driver-2\n");
        assertThat(holds(FILES.isOpenFor(MODULES))).isFalse();
        Files.writeString(root.resolve("files"), "driver-2\n");
        assertThat(holds(FILES.isOpenFor(MODULES))).isTrue();
    }

    @Test
    void anInitContainerWaitsForAllOfThem() {
        BarrierWait wait = BarrierWait.of("wait", "registry.example/sh:1", MODULES, FILES);

        assertThat(wait.container())
                .containsEntry(
                        "command",
                        List.of(
                                "sh",
                                "-c",
                                "until [ -f /run/sro/barriers/onload/modules ] && [ -f /run/sro/barriers/onload/files"
                                        + " ]; do echo waiting for modules and files; sleep 5; done"))
                .doesNotContainKey("env");
        assertThat(wait.hostPath())
                .containsEntry("hostPath", Map.of("path", "/run/sro/barriers/onload", "type", "DirectoryOrCreate"));
        assertThatThrownBy(() -> BarrierWait.of("wait", "registry.example/sh:1"))
                .hasMessageContaining("name at least one");
        assertThatThrownBy(() -> BarrierWait.of("wait", "registry.example/sh:1", MODULES, NodeBarrier.of("b", "c")))
                .hasMessageContaining("/run/sro/barriers/b/c is in another directory");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/var/lib/x/ready",
                "/run/ready",
                "/run/a/../../etc/ready",
                "/run/a/b c",
                "/run/a/$(b)",
                "run/a/b"
            })
    void pathsThatABootDoesNotEmptyOrThatAShellReadsOtherwiseAreRefused(String path) {
        assertThatThrownBy(() -> new NodeBarrier(path, ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("NodeBarrier.path: ");
    }

    @Test
    void whatItSaysIsOneWord() {
        assertThatThrownBy(() -> MODULES.saying("a b"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("NodeBarrier.says: ");
    }

    @ParameterizedTest
    @EnumSource(
            value = LoadExecutor.class,
            names = {"KMM_MODULE", "HOST_PROVIDED", "OWN_STATES"})
    void plansWithoutAnybodyOnTheNodeHaveNone(LoadExecutor executor) {
        LoadPlan.Builder plan = LoadPlan.builder()
                .executor(executor)
                .addModules(KernelModule.of("gpu"))
                .barrier(MODULES);

        assertThatThrownBy(plan::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("LoadPlan.barrier: nobody leaves it with executor " + executor);
    }

    @Test
    void whatLeavesIsSaidOfOneReachAndOfNoOther() {
        Reach.ByOwnBarrier own = Reach.ownBarrier().leavingWithDriver();

        assertThat(own).isEqualTo(new Reach.ByOwnBarrier(false, true));
        assertThat(own.leavingWhenReady())
                .isEqualTo(Reach.ownBarrier().leavingWhenReady().leavingWithDriver());
        assertThat(Reach.nodeByNode().leavingWhenReady().leavesWithDriver()).isFalse();
        assertThat(Reach.ownBarrier().leavesWithDriver()).isFalse();
        assertThat(State.of("1000-x").reach()).isEqualTo(Reach.whole());
    }
}
