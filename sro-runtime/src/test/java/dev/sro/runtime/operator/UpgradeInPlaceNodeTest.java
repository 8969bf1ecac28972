package dev.sro.runtime.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.resource.UpgradeNodeStatus;
import dev.sro.testkit.controlplane.RealCluster;
import dev.sro.testkit.node.KubeletCluster;
import dev.sro.testkit.node.RealKubelet;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/**
 * A driver is upgraded in place on two nodes whose pods really run, with users of the device under a disruption budget; an image that is
 * not there halts the roll-out at the canary, a driver that ends at once is rolled back, and the other node never notices.
 */
@RealKubelet
@EnabledIf(
        value = "dev.sro.runtime.ClusterShell#isHere",
        disabledReason = "no kubectl or helm here: run .ci/kubectl/build.sh and .ci/helm/build.sh")
class UpgradeInPlaceNodeTest {
    @TempDir
    private Path folder;

    @TempDir
    private Path home;

    @AfterEach
    void giveLogBack() {
        HttpCluster.giveLogBack();
    }

    @Test
    void nodeByNodeAndNoFartherThanTheCanary(KubeletCluster nodes) throws Exception {
        RealCluster cluster = nodes.namespace("upgrade");
        OperatorSettings settings = CardCluster.settings(cluster, folder);
        CardCluster cards = new CardCluster(nodes, cluster, home);
        for (String tag : List.of("2", "4")) {
            nodes.images().tag("test/probe:1", "test/probe:" + tag);
        }
        try (OperatorRun operator = OperatorRun.start(settings, ClusterSettings.logs())) {
            assertThat(operator.port()).as("its probes").isPresent();
            cards.want("1", "[hold]", "");
            cards.awaitDone("1");
            cards.addUsers();
            NodeScenario.say("driver 1 and its users are ready");
            try (UpgradeStory story = new UpgradeStory(nodes.client())) {
                upgrade(cards, story);
                haltAtTheCanary(cards);
                rollBack(cards, story);
                assertThat(story.fewestUsers())
                        .as("users that were ready at a time")
                        .isEqualTo(3);
            }
        }
    }

    private static void upgrade(CardCluster cards, UpgradeStory story) {
        cards.want("2", "[hold]", "");
        cards.awaitDone("2");
        cards.awaitUsers();
        assertThat(story.steps())
                .containsSubsequence(
                        cards.canary() + " pod-deletion-required cordoned",
                        cards.canary() + " pod-restart-required cordoned",
                        cards.canary() + " validation-required cordoned",
                        cards.canary() + " upgrade-done",
                        cards.other() + " pod-deletion-required cordoned",
                        cards.other() + " pod-restart-required cordoned",
                        cards.other() + " validation-required cordoned",
                        cards.other() + " upgrade-done");
        assertThat(story.stuck())
                .as("who waited for the budget")
                .anyMatch(said -> said.startsWith(cards.canary())
                        && said.contains("EvictionRefused")
                        && said.contains("keep-three"));
        assertThat(story.mostCordoned()).as("nodes out of work at a time").isEqualTo(1);
    }

    /** Kubelet says why in the status, and of the other node nothing was touched. */
    private static void haltAtTheCanary(CardCluster cards) {
        Map<String, String> before = cards.podsOf(cards.other());
        cards.want("3", "[hold]", ", deadlines: {restartSeconds: 20}");
        cards.await("it is halted", () -> "Halted".equals(cards.upgrade().getState()));
        UpgradeNodeStatus failed = cards.stuck(cards.canary()).orElseThrow();
        assertThat(failed.getPhase()).isEqualTo("upgrade-failed");
        assertThat(failed.getMessage()).contains("test/probe:3", "not found");
        untouched(cards, before);
    }

    private static void untouched(CardCluster cards, Map<String, String> before) {
        assertThat(cards.podsOf(cards.other())).containsAllEntriesOf(before);
        assertThat(cards.node(cards.other()).getSpec().getUnschedulable()).isNotEqualTo(true);
    }

    private static void rollBack(CardCluster cards, UpgradeStory story) {
        cards.want("2", "[hold]", "");
        cards.awaitDone("2");
        cards.awaitUsers();
        Map<String, String> before = cards.podsOf(cards.other());
        String wanted = String.valueOf(cards.upgrade().getTarget());
        cards.want("4", CardCluster.CRASH, ", deadlines: {restartSeconds: 30}, rollback: {automatic: true}");
        cards.await(
                "it failed",
                () -> story.stuck().stream()
                        .anyMatch(said -> said.startsWith(cards.canary()) && said.contains(CardCluster.COMPLAINT)));
        cards.await("it is rolled back", () -> wanted.equals(cards.upgrade().getTarget()));
        cards.awaitDone("2");
        assertThat(cards.shell().run("kubectl get events --field-selector type=Warning,reason=DriverTimedOut"))
                .as("why it was rolled back")
                .contains("test/probe:3: not found", CardCluster.COMPLAINT);
        untouched(cards, before);
    }
}
