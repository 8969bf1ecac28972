package dev.sro.runtime.upgrades;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.resource.DriverUpgradePolicy;
import dev.sro.runtime.Cli;
import dev.sro.runtime.HttpSandbox;
import dev.sro.testkit.sim.Behavior;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UpgradeCommandTest {

    private static final String STATE = "sro.dev/one.driver-upgrade-state";

    @TempDir
    private Path folder;

    private HttpSandbox on;

    @BeforeEach
    void start() throws IOException {
        on = new HttpSandbox(folder);
        on.node("a", "one");
        on.node("b", "one");
        on.sandbox.apply(HttpSandbox.resource("one")
                + "  upgradePolicy: {autoUpgrade: true, deadlines: {restartSeconds: 60}}\n");
        assertThat(on.sandbox.runUntil(Duration.ofMinutes(30), () -> on.sandbox.isReady("one")))
                .isTrue();
        on.sandbox.run(Duration.ofMinutes(1));
    }

    @AfterEach
    void close() {
        on.close();
    }

    private Cli upgrade(String command, String... args) {
        String[] all = new String[args.length + 4];
        all[0] = "upgrade";
        all[1] = command;
        System.arraycopy(args, 0, all, 2, args.length);
        all[args.length + 2] = "--kubeconfig";
        all[args.length + 3] = on.kubeconfig;
        return Cli.run(all);
    }

    private Node node(String name) {
        return on.sandbox.client().nodes().withName(name).get();
    }

    private DriverUpgradePolicy policy() {
        return Objects.requireNonNull(
                Objects.requireNonNull(on.sandbox.get("one").orElseThrow().getSpec())
                        .getUpgradePolicy());
    }

    private Set<String> drivers() {
        return on.sandbox.client().pods().inNamespace("one").list().getItems().stream()
                .filter(pod -> pod.getMetadata().getName().contains("driver-container"))
                .map(Pod::getMetadata)
                .map(metadata -> metadata.getUid())
                .collect(Collectors.toSet());
    }

    @Test
    void showsHowFarItIs() {
        Cli status = upgrade("status");

        assertThat(status.code()).as(status.err()).isZero();
        assertThat(status.out()).startsWith("one\n  upgrade Done").contains("2/2 nodes have driver ");
        assertThat(on.run("status").out()).contains("  upgrade Done");
        assertThat(upgrade("status", "none").code()).isEqualTo(2);
    }

    @Test
    void pausesAndGoesOn() {
        assertThat(upgrade("pause", "one", "-o", "yaml").out()).contains("name: \"one\"", "done: \"pause\"");
        assertThat(policy().getPaused()).isTrue();

        assertThat(upgrade("resume", "one").code()).isZero();
        assertThat(policy().getPaused()).isNull();
        assertThat(policy().getResume()).isNotEmpty();
        assertThat(policy().getAutoUpgrade()).isTrue();
    }

    @Test
    void triesANodeAgainAndShowsWhatFails() {
        Set<String> before = drivers();
        on.sandbox.simulation().behaviors().add(Behavior.neverReady().node("a").workload("*driver-container*"));

        assertThat(upgrade("retry", "one", "a").code()).isZero();
        on.sandbox.run(Duration.ofMinutes(10));

        assertThat(drivers())
                .as("the driver of one node is made anew")
                .hasSize(2)
                .isNotEqualTo(before);
        assertThat(node("a").getMetadata().getLabels()).containsEntry(STATE, "upgrade-failed");
        Cli failed = upgrade("status", "one");
        assertThat(failed.code()).isEqualTo(1);
        assertThat(failed.out()).contains("node a: upgrade-failed for ", "DriverTimedOut");

        on.sandbox.simulation().behaviors().clear();
        assertThat(upgrade("retry", "one", "a").code()).isZero();
        on.sandbox.run(Duration.ofMinutes(10));
        assertThat(node("a").getMetadata().getLabels()).containsEntry(STATE, "upgrade-done");
        assertThat(upgrade("status", "one").code()).isZero();
    }

    @Test
    void leavesANodeOut() {
        assertThat(upgrade("skip", "one", "b").code()).isZero();
        assertThat(node("b").getMetadata().getLabels()).containsEntry("sro.dev/one.driver-upgrade.skip", "true");

        assertThat(upgrade("skip", "one", "b", "--undo").code()).isZero();
        assertThat(node("b").getMetadata().getLabels()).doesNotContainKey("sro.dev/one.driver-upgrade.skip");
        assertThat(upgrade("skip", "one", "nowhere").err()).contains("there is no node nowhere");
    }

    @Test
    void doesNotRollBackWhatIsGood() {
        Cli refused = upgrade("rollback", "one");

        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains("nothing is to be rolled back");
    }
}
