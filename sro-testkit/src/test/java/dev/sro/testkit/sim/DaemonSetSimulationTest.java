package dev.sro.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.server.Change;
import dev.sro.testkit.server.Gvr;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DaemonSetSimulationTest {
    private final SimWorld world = new SimWorld();

    @BeforeEach
    void twoNodesOfThePoolAndOneOther() {
        world.node("n1").node("n2");
        world.sim.nodes().create("other", NodeProfile.of(OsRelease.RHEL_9));
        world.advance("PT3S");
    }

    @AfterEach
    void close() {
        world.close();
    }

    @Test
    void runsOnePodOnEachEligibleNode() {
        world.daemonSet("a", "img:1", "");
        world.cluster.settle();

        assertThat(world.counters(Gvr.DAEMONSETS, "a"))
                .isEqualTo("{currentNumberScheduled=2, desiredNumberScheduled=2, numberMisscheduled=0, numberReady=0,"
                        + " numberUnavailable=2, observedGeneration=1, updatedNumberScheduled=2}");

        world.advance("PT1S");

        assertThat(world.counters(Gvr.DAEMONSETS, "a"))
                .isEqualTo("{currentNumberScheduled=2, desiredNumberScheduled=2, numberAvailable=2,"
                        + " numberMisscheduled=0, numberReady=2, observedGeneration=1, updatedNumberScheduled=2}");
        ObjectNode pod = world.podOn("n1");
        assertThat(Pods.phase(pod)).isEqualTo("Running");
        assertThat(JsonNodes.text(pod, "status", "podIP")).startsWith("10.244.");
        assertThat(JsonNodes.label(pod, "pod-template-generation")).isEqualTo("1");
        assertThat(world.api.podsOnNode("other")).isEmpty();
    }

    @Test
    void hasNoCountersButTheRequiredOnesWithoutANode() {
        world.daemonSet("a", "img:1", "");
        world.sim.nodes().label("n1", "pool", null).label("n2", "pool", null);
        world.advance("PT5S");

        assertThat(world.counters(Gvr.DAEMONSETS, "a"))
                .isEqualTo("{currentNumberScheduled=0, desiredNumberScheduled=0, numberMisscheduled=0, numberReady=0,"
                        + " observedGeneration=1}");
        assertThat(world.pods()).isEmpty();
    }

    @Test
    void followsLabelsOfNodes() {
        world.daemonSet("a", "img:1", "");
        world.advance("PT1S");

        world.sim.nodes().label("other", "pool", "a");
        world.sim.nodes().label("n2", "pool", "b");
        world.advance("PT2S");

        assertThat(world.podOn("other")).isNotNull();
        assertThat(world.api.podsOnNode("n2")).isEmpty();
        assertThat(JsonNodes.integer(world.status(Gvr.DAEMONSETS, "a"), 0, "numberAvailable"))
                .isEqualTo(2);
    }

    @Test
    void updatesNodeByNodeAndNeverTakesMoreThanMaxUnavailable() {
        world.node("n3").node("n4").advance("PT3S");
        world.daemonSet("a", "img:1", "");
        world.advance("PT2S");
        world.changes.clear();

        world.setImage(Gvr.DAEMONSETS, "a", "img:2");
        world.advance("PT20S");

        List<Integer> unavailable = world.changesOf(Gvr.DAEMONSETS, c -> true).stream()
                .map(c -> JsonNodes.integer(c.object(), 0, "status", "numberUnavailable"))
                .toList();
        assertThat(unavailable).contains(1).allMatch(n -> n <= 1);
        assertThat(JsonNodes.integer(world.status(Gvr.DAEMONSETS, "a"), 0, "updatedNumberScheduled"))
                .isEqualTo(4);
        assertThat(world.pods())
                .allMatch(
                        p -> JsonNodes.text(p.at("/spec/containers/0"), "image").equals("img:2"));
    }

    @Test
    void stopsTheUpdateAtAPodThatDoesNotGetReady() {
        world.daemonSet("a", "img:1", "");
        world.advance("PT2S");
        world.sim.behaviors().add(Behavior.neverReady().image("img:2"));

        world.setImage(Gvr.DAEMONSETS, "a", "img:2");
        world.advance("PT60S");

        assertThat(world.pods())
                .filteredOn(
                        p -> JsonNodes.text(p.at("/spec/containers/0"), "image").equals("img:2"))
                .hasSize(1);
        assertThat(JsonNodes.integer(world.status(Gvr.DAEMONSETS, "a"), 0, "numberUnavailable"))
                .isEqualTo(1);
    }

    @Test
    void withSurgeStartsTheNewPodBeforeTheOldOneGoes() {
        world.daemonSet("a", "img:1", ",'updateStrategy':{'rollingUpdate':{'maxSurge':1,'maxUnavailable':0}}");
        world.advance("PT2S");
        world.changes.clear();

        world.setImage(Gvr.DAEMONSETS, "a", "img:2");
        world.advance("PT20S");

        assertThat(world.changesOf(Gvr.DAEMONSETS, c -> true))
                .allMatch(c -> JsonNodes.integer(c.object(), 0, "status", "numberReady") == 2);
        assertThat(JsonNodes.integer(world.status(Gvr.DAEMONSETS, "a"), 0, "updatedNumberScheduled"))
                .isEqualTo(2);
        assertThat(world.pods()).hasSize(2);
    }

    @Test
    void onDeleteKeepsOldPodsUntilSomebodyDeletesThem() {
        world.daemonSet("a", "img:1", ",'updateStrategy':{'type':'OnDelete'}");
        world.advance("PT2S");
        world.setImage(Gvr.DAEMONSETS, "a", "img:2");
        world.advance("PT10S");
        assertThat(world.status(Gvr.DAEMONSETS, "a").has("updatedNumberScheduled"))
                .isFalse();

        Pods.delete(world.api, world.podOn("n1"));
        world.advance("PT5S");

        assertThat(JsonNodes.text(world.podOn("n1").at("/spec/containers/0"), "image"))
                .isEqualTo("img:2");
        assertThat(JsonNodes.text(world.podOn("n2").at("/spec/containers/0"), "image"))
                .isEqualTo("img:1");
        assertThat(JsonNodes.integer(world.status(Gvr.DAEMONSETS, "a"), 0, "updatedNumberScheduled"))
                .isEqualTo(1);
    }

    @Test
    void bumpsTheOldRevisionWhenTheTemplateComesBack() {
        world.daemonSet("a", "img:1", ",'updateStrategy':{'type':'OnDelete'}");
        world.advance("PT2S");
        world.setImage(Gvr.DAEMONSETS, "a", "img:2");
        world.advance("PT2S");
        world.setImage(Gvr.DAEMONSETS, "a", "img:1");
        world.advance("PT2S");

        assertThat(world.api.list(Gvr.CONTROLLERREVISIONS))
                .extracting(r -> JsonNodes.integer(r, 0, "revision"))
                .containsExactlyInAnyOrder(2, 3);
        assertThat(JsonNodes.integer(world.status(Gvr.DAEMONSETS, "a"), 0, "updatedNumberScheduled"))
                .isEqualTo(2);
    }

    @Test
    void replacesAFailedPod() {
        world.daemonSet("a", "img:1", "");
        world.advance("PT2S");
        String failed = JsonNodes.name(world.podOn("n1"));
        Pods.updateStatus(world.api, world.podOn("n1"), s -> s.put("phase", "Failed"));
        world.advance("PT3S");

        assertThat(JsonNodes.name(world.podOn("n1"))).isNotEqualTo(failed);
        assertThat(Pods.ready(world.podOn("n1"))).isTrue();
    }

    @Test
    void waitsWithAvailableForMinReadySeconds() {
        world.daemonSet("a", "img:1", ",'minReadySeconds':10");
        world.advance("PT5S");
        assertThat(JsonNodes.integer(world.status(Gvr.DAEMONSETS, "a"), 0, "numberReady"))
                .isEqualTo(2);
        assertThat(world.status(Gvr.DAEMONSETS, "a").has("numberAvailable")).isFalse();

        world.advance("PT8S");

        assertThat(JsonNodes.integer(world.status(Gvr.DAEMONSETS, "a"), 0, "numberAvailable"))
                .isEqualTo(2);
    }

    @Test
    void evictsFromANodeWithANoExecuteTaintAndLeavesNoScheduleAlone() {
        world.daemonSet("a", "img:1", "");
        world.advance("PT2S");
        world.sim.nodes().taint("n1", "example.com/t", "", Placement.NO_EXECUTE);
        world.sim.nodes().taint("n2", "example.com/t", "", Placement.NO_SCHEDULE);
        world.advance("PT5S");

        assertThat(world.api.podsOnNode("n1")).isEmpty();
        assertThat(world.api.podsOnNode("n2")).hasSize(1);
    }

    @Test
    void waitsForAMissingImageAndRecoversByItselfWhenItIsPushed() {
        world.sim.registry().onlyPushed("reg/drv*");
        world.daemonSet("a", "reg/drv:1", "");
        world.advance("PT5S");
        assertThat(world.pods()).allMatch(p -> SimWorld.waiting(p).equals("ImagePullBackOff"));
        assertThat(world.pods()).allMatch(p -> Pods.phase(p).equals("Pending"));
        int writes = world.changes.size();
        world.advance("PT1H");
        assertThat(world.changes).hasSize(writes);

        world.sim.registry().push("reg/drv:1");
        world.advance("PT6M");

        assertThat(JsonNodes.integer(world.status(Gvr.DAEMONSETS, "a"), 0, "numberAvailable"))
                .isEqualTo(2);
    }

    @Test
    void oneBadNodeDoesNotHurtTheOthers() {
        world.sim.behaviors().add(Behavior.crashLoop().node("n2"));
        world.daemonSet("a", "img:1", "");
        world.advance("PT5S");

        assertThat(SimWorld.waiting(world.podOn("n2"))).isEqualTo("CrashLoopBackOff");
        assertThat(Pods.ready(world.podOn("n1"))).isTrue();
        assertThat(JsonNodes.integer(world.status(Gvr.DAEMONSETS, "a"), 0, "numberAvailable"))
                .isEqualTo(1);
    }

    @Test
    void keepsItsPodThroughARebootAndCountsTheRestart() {
        world.daemonSet("a", "img:1", "");
        world.advance("PT2S");
        String pod = JsonNodes.name(world.podOn("n1"));

        world.sim.nodes().reboot("n1", "5.15.0-92-generic");
        world.advance("PT10S");
        assertThat(Pods.ready(world.podOn("n1"))).isFalse();
        world.advance("PT30S");

        assertThat(JsonNodes.name(world.podOn("n1"))).isEqualTo(pod);
        assertThat(Pods.ready(world.podOn("n1"))).isTrue();
        assertThat(world.podOn("n1")
                        .at("/status/containerStatuses/0/restartCount")
                        .asInt())
                .isEqualTo(1);
        assertThat(JsonNodes.integer(world.status(Gvr.DAEMONSETS, "a"), 0, "numberAvailable"))
                .isEqualTo(2);
    }

    @Test
    void followsTheDeletionOfANodeOnlyWhenItsPodsAreCollected() {
        world.daemonSet("a", "img:1", "");
        world.advance("PT2S");

        world.sim.nodes().delete("n2");
        world.advance("PT10S");
        assertThat(JsonNodes.integer(world.status(Gvr.DAEMONSETS, "a"), 0, "desiredNumberScheduled"))
                .isEqualTo(2);
        world.advance("PT60S");

        assertThat(JsonNodes.integer(world.status(Gvr.DAEMONSETS, "a"), 0, "desiredNumberScheduled"))
                .isEqualTo(1);
        assertThat(world.pods()).hasSize(1);
    }

    @Test
    void leavesAPodPendingWhereItDoesNotFit() {
        world.api.create(
                Gvr.DAEMONSETS,
                SimWorld.json("{'apiVersion':'apps/v1','kind':'DaemonSet','metadata':{'name':'big','namespace':'ns'},"
                        + "'spec':{'selector':{'matchLabels':{'app':'a'}},'template':{'metadata':{'labels':{'app':'a'}},"
                        + "'spec':{'nodeSelector':{'kubernetes.io/hostname':'n1'},'containers':[{'name':'c',"
                        + "'image':'i','resources':{'requests':{'cpu':'100'}}}]}}}}"));
        world.advance("PT2S");

        ObjectNode pod = world.pods().get(0);
        assertThat(Pods.phase(pod)).isEqualTo("Pending");
        assertThat(JsonNodes.text(Conditions.find(pod, "PodScheduled"), "message"))
                .isEqualTo("0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn't satisfy plugin(s)"
                        + " [NodeAffinity]. no new claims to deallocate, preemption: 0/3 nodes are available: 3"
                        + " Preemption is not helpful for scheduling.");

        world.api.update(Gvr.NODES, null, "n1", "status", n -> {
            JsonNodes.child(n, "status", "allocatable").put("cpu", "128");
            return n;
        });
        world.advance("PT2S");

        assertThat(Pods.ready(world.podOn("n1"))).isTrue();
    }

    @Test
    void writesNothingWhileNothingChanges() {
        world.daemonSet("a", "img:1", "");
        world.advance("PT60S");
        int writes = world.changes.size();

        world.advance("PT24H");

        assertThat(world.changes).hasSize(writes);
    }

    @Test
    void triesARefusedPodAgainLaterAndLater() {
        world.daemonSet("a", "img:1", "");
        world.cluster.settle();
        world.pods().forEach(p -> Pods.delete(world.api, p, 0L));
        world.counting.refuseCreates(true);
        world.advance("PT1S");
        world.counting.calls().clear();
        world.advance("PT1H");
        assertThat(world.pods()).isEmpty();
        assertThat(world.counting.calls().get("create pods")).isBetween(20L, 100L);

        world.counting.refuseCreates(false);
        world.advance("PT6M");

        assertThat(JsonNodes.integer(world.status(Gvr.DAEMONSETS, "a"), 0, "numberAvailable"))
                .isEqualTo(2);
    }

    @Test
    void readinessComesWithTheDelayOfItsProbe() {
        world.api.create(
                Gvr.DAEMONSETS,
                SimWorld.json("{'apiVersion':'apps/v1','kind':'DaemonSet','metadata':{'name':'p','namespace':'ns'},"
                        + "'spec':{'selector':{'matchLabels':{'app':'a'}},'template':{'metadata':{'labels':{'app':'a'}},"
                        + "'spec':{'nodeSelector':{'pool':'a'},'containers':[{'name':'c','image':'i',"
                        + "'readinessProbe':{'initialDelaySeconds':7,'exec':{'command':['true']}}}]}}}}"));
        world.advance("PT6S");
        assertThat(world.pods()).allMatch(p -> Pods.phase(p).equals("Running") && !Pods.ready(p));

        world.advance("PT3S");

        assertThat(world.pods()).allMatch(Pods::ready);
        assertThat(world.changesOf(Gvr.PODS, c -> c.kind() == Change.Kind.DELETED))
                .isEmpty();
    }
}
