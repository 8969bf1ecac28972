package dev.sro.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.server.Gvr;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PodSimulationTest {
    private static final String NEVER = ",'restartPolicy':'Never'";

    private final SimWorld world = new SimWorld();

    @BeforeEach
    void oneNode() {
        world.node("n1").advance("PT3S");
    }

    @AfterEach
    void close() {
        world.close();
    }

    @Test
    void bindsToTheEmptiestNodeThatFits() {
        world.node("n2").advance("PT1S");
        world.pod("p1", SimWorld.podSpec("i", ""));
        world.pod("p2", SimWorld.podSpec("i", ""));
        world.sim.nodes().cordon("n2");
        world.advance("PT1S");
        world.sim.nodes().uncordon("n2");
        world.pod("p3", SimWorld.podSpec("i", ""));
        world.advance("PT1S");

        assertThat(JsonNodes.text(world.get(Gvr.PODS, "p1"), "spec", "nodeName"))
                .isEqualTo("n1");
        assertThat(JsonNodes.text(world.get(Gvr.PODS, "p2"), "spec", "nodeName"))
                .isEqualTo("n1");
        assertThat(JsonNodes.text(world.get(Gvr.PODS, "p3"), "spec", "nodeName"))
                .isEqualTo("n2");
    }

    @Test
    void waitsForAnExtendedResourceAndGetsItWhenAnotherPodEnds() {
        world.api.update(Gvr.NODES, null, "n1", "status", n -> {
            JsonNodes.child(n, "status", "allocatable").put("example.com/gpu", "1");
            return n;
        });
        String spec = "{'containers':[{'name':'c','image':'i','resources':{'limits':{'example.com/gpu':'1'}}}]}";
        world.pod("first", spec).path("spec");
        world.pod("second", spec);
        world.advance("PT2S");
        assertThat(Pods.phase(world.get(Gvr.PODS, "first"))).isEqualTo("Running");
        assertThat(JsonNodes.text(Conditions.find(world.get(Gvr.PODS, "second"), "PodScheduled"), "message"))
                .startsWith("0/1 nodes are available: 1 Insufficient example.com/gpu.");

        Pods.delete(world.api, world.get(Gvr.PODS, "first"));
        world.advance("PT5S");

        assertThat(Pods.phase(world.get(Gvr.PODS, "second"))).isEqualTo("Running");
    }

    @Test
    void aPodOfHigherPriorityPushesOneOfLowerPriorityAway() {
        world.api.update(Gvr.NODES, null, "n1", "status", n -> {
            JsonNodes.child(n, "status", "allocatable").put("example.com/gpu", "1");
            return n;
        });
        for (String given : new String[] {
            "{'metadata':{'name':'low'},'value':10}",
            "{'metadata':{'name':'high'},'value':1000}",
            "{'metadata':{'name':'modest'},'value':1000,'preemptionPolicy':'Never'}"
        }) {
            world.api.create(Gvr.PRIORITYCLASSES, SimWorld.json(given));
        }
        String spec = "{'containers':[{'name':'c','image':'i','resources':{'limits':{'example.com/gpu':'1'}}}]";
        world.pod("first", spec + ",'priorityClassName':'low'}");
        world.advance("PT2S");
        world.pod("equal", spec + ",'priorityClassName':'low'}");
        world.pod("modest", spec + ",'priorityClassName':'modest'}");
        world.advance("PT2S");
        assertThat(Pods.phase(world.get(Gvr.PODS, "first"))).isEqualTo("Running");

        world.pod("second", spec + ",'priorityClassName':'high'}");

        world.cluster.settle();
        assertThat(JsonNodes.text(world.get(Gvr.PODS, "second"), "status", "nominatedNodeName"))
                .isEqualTo("n1");
        assertThat(JsonNodes.text(Conditions.find(world.get(Gvr.PODS, "first"), "DisruptionTarget"), "reason"))
                .isEqualTo("PreemptionByScheduler");
        assertThat(JsonNodes.deleting(world.get(Gvr.PODS, "first"))).isTrue();
    }

    @Test
    void aPodThatIsMeantToEndSucceeds() {
        world.pod("p", SimWorld.podSpec("i", NEVER));
        world.advance("PT3S");

        ObjectNode pod = world.get(Gvr.PODS, "p");
        assertThat(Pods.phase(pod)).isEqualTo("Succeeded");
        assertThat(JsonNodes.text(Conditions.find(pod, "Ready"), "reason")).isEqualTo("PodCompleted");
        assertThat(JsonNodes.text(pod.at("/status/containerStatuses/0"), "state", "terminated", "reason"))
                .isEqualTo("Completed");
    }

    @Test
    void failsWithItsExitCodeAndOnFailureTriesAgain() {
        world.sim
                .behaviors()
                .add(Behavior.fail(3, Duration.ofSeconds(1)).times(2).workload("again"));
        world.sim.behaviors().add(Behavior.fail(4, Duration.ofSeconds(1)).workload("once"));
        world.pod("again", SimWorld.podSpec("i", ",'restartPolicy':'OnFailure'"));
        world.pod("once", SimWorld.podSpec("i", NEVER));
        world.advance("PT30S");

        assertThat(Pods.phase(world.get(Gvr.PODS, "again"))).isEqualTo("Succeeded");
        assertThat(world.get(Gvr.PODS, "again")
                        .at("/status/containerStatuses/0/restartCount")
                        .asInt())
                .isEqualTo(2);
        assertThat(Pods.phase(world.get(Gvr.PODS, "once"))).isEqualTo("Failed");
        assertThat(world.get(Gvr.PODS, "once")
                        .at("/status/containerStatuses/0/state/terminated/exitCode")
                        .asInt())
                .isEqualTo(4);
    }

    @Test
    void runsInitContainersOneAfterTheOther() {
        world.pod("p", SimWorld.podSpec("i", ",'initContainers':[{'name':'a','image':'i'},{'name':'b','image':'i'}]"));
        world.advance("PT1.2S");
        ObjectNode during = world.get(Gvr.PODS, "p");
        assertThat(Pods.phase(during)).isEqualTo("Pending");
        assertThat(JsonNodes.text(during.at("/status/initContainerStatuses/0"), "state", "terminated", "reason"))
                .isEqualTo("Completed");
        assertThat(during.at("/status/initContainerStatuses/1/state/terminated").isMissingNode())
                .isTrue();
        assertThat(SimWorld.waiting(during)).isEqualTo("PodInitializing");

        world.advance("PT5S");

        assertThat(Pods.ready(world.get(Gvr.PODS, "p"))).isTrue();
    }

    @Test
    void anInitContainerThatFailsHoldsThePodBack() {
        world.sim.behaviors().add(Behavior.crashLoop().container("wait"));
        world.pod("p", SimWorld.podSpec("i", ",'initContainers':[{'name':'wait','image':'i'}]"));
        world.pod("never", SimWorld.podSpec("i", ",'initContainers':[{'name':'wait','image':'i'}]" + NEVER));
        world.advance("PT60S");

        ObjectNode pod = world.get(Gvr.PODS, "p");
        assertThat(Pods.phase(pod)).isEqualTo("Pending");
        assertThat(JsonNodes.text(pod.at("/status/initContainerStatuses/0"), "state", "waiting", "reason"))
                .isEqualTo("CrashLoopBackOff");
        assertThat(Pods.phase(world.get(Gvr.PODS, "never"))).isEqualTo("Failed");
    }

    @Test
    void showsContainerCreatingWhileItStartsSlowly() {
        world.sim.behaviors().add(Behavior.slowStart(Duration.ofMinutes(2)));
        world.pod("p", SimWorld.podSpec("i", ""));
        world.advance("PT60S");
        assertThat(SimWorld.waiting(world.get(Gvr.PODS, "p"))).isEqualTo("ContainerCreating");

        world.advance("PT2M");

        assertThat(Pods.ready(world.get(Gvr.PODS, "p"))).isTrue();
    }

    @Test
    void aPullErrorEndsWhenItsRuleIsUsedUp() {
        world.sim
                .behaviors()
                .add(Behavior.pullError("toomanyrequests: slow down").image("i").times(2));
        world.pod("p", SimWorld.podSpec("i", ""));
        world.advance("PT0.5S");
        ObjectNode pod = world.get(Gvr.PODS, "p");
        assertThat(SimWorld.waiting(pod)).isEqualTo("ErrImagePull");
        assertThat(JsonNodes.text(pod.at("/status/containerStatuses/0"), "state", "waiting", "message"))
                .isEqualTo("toomanyrequests: slow down");

        world.advance("PT60S");

        assertThat(Pods.ready(world.get(Gvr.PODS, "p"))).isTrue();
    }

    @Test
    void crashLoopsWithGrowingBackOffAndRecoversWhenTheRuleGoes() {
        Behavior crash = Behavior.crashLoop();
        world.sim.behaviors().add(crash);
        world.pod("p", SimWorld.podSpec("i", ""));
        world.advance("PT50S");
        ObjectNode pod = world.get(Gvr.PODS, "p");
        assertThat(SimWorld.waiting(pod)).isEqualTo("CrashLoopBackOff");
        assertThat(pod.at("/status/containerStatuses/0/restartCount").asInt()).isEqualTo(3);
        assertThat(Pods.phase(pod)).isEqualTo("Running");

        world.sim.behaviors().remove(crash);
        world.advance("PT5M");

        assertThat(Pods.ready(world.get(Gvr.PODS, "p"))).isTrue();
    }

    @Test
    void aDeletedPodGoesWhenItsContainersHaveEnded() {
        world.pod("quick", SimWorld.podSpec("i", ""));
        world.pod("stubborn", SimWorld.podSpec("i", ",'terminationGracePeriodSeconds':20"));
        world.sim.behaviors().add(Behavior.ignoresTermination().workload("stubborn"));
        world.advance("PT2S");

        Pods.delete(world.api, world.get(Gvr.PODS, "quick"));
        Pods.delete(world.api, world.get(Gvr.PODS, "stubborn"));
        world.advance("PT19S");
        assertThat(world.pods()).extracting(JsonNodes::name).containsExactly("stubborn");
        world.advance("PT2S");

        assertThat(world.pods()).isEmpty();
    }

    @Test
    void aPreStopSleepDelaysTheEnd() {
        world.pod("p", "{'containers':[{'name':'c','image':'i','lifecycle':{'preStop':{'sleep':{'seconds':10}}}}]}");
        world.advance("PT2S");

        Pods.delete(world.api, world.get(Gvr.PODS, "p"));
        world.advance("PT9S");
        assertThat(world.pods()).hasSize(1);
        world.advance("PT3S");

        assertThat(world.pods()).isEmpty();
    }

    @Test
    void aPodWithSchedulingGatesIsNotBound() {
        world.pod("p", SimWorld.podSpec("i", ",'schedulingGates':[{'name':'example.com/wait'}]"));
        world.advance("PT5S");
        assertThat(JsonNodes.has(world.get(Gvr.PODS, "p"), "spec", "nodeName")).isFalse();

        world.edit(Gvr.PODS, "p", p -> JsonNodes.child(p, "spec").remove("schedulingGates"));
        world.advance("PT5S");

        assertThat(Pods.ready(world.get(Gvr.PODS, "p"))).isTrue();
    }

    @Test
    void aPodThatNamesItsNodeBeforeTheNodeExistsStartsWithIt() {
        world.pod("p", "{'nodeName':'late','containers':[{'name':'c','image':'i'}]}");
        world.advance("PT10S");
        assertThat(Pods.phase(world.get(Gvr.PODS, "p"))).isEqualTo("Pending");

        world.node("late").advance("PT5S");

        assertThat(Pods.ready(world.get(Gvr.PODS, "p"))).isTrue();
    }

    @Test
    void printsWhatTheTestSaysItPrints() {
        world.sim.logs().image("*", "hello").pod("ns/special", "module loaded");
        ObjectNode plain = world.pod("plain", SimWorld.podSpec("i", ""));
        ObjectNode special = world.pod("special", SimWorld.podSpec("i", ""));

        assertThat(world.sim.logs().read(plain, "c")).isEqualTo("hello");
        assertThat(world.sim.logs().read(special, "")).isEqualTo("module loaded");
        assertThat(world.sim.logs().read(special, "other")).isEqualTo("module loaded");
    }

    /** As on a real node: the words of the container are those of its last run, and the kubelet's own are about its pause. */
    @Test
    void aContainerThatCrashesLeavesItsLastWordsWhereItsPolicyWantsThem() {
        world.sim.behaviors().add(Behavior.fail(3, Duration.ofSeconds(1)).saying("one\ntwo: not found\n"));
        world.pod(
                "kept", "{'containers':[{'name':'c','image':'i','terminationMessagePolicy':'FallbackToLogsOnError'}]}");
        ObjectNode plain = world.pod("plain", SimWorld.podSpec("i", ""));
        world.advance("PT10S");

        var kept = JsonNodes.at(world.get(Gvr.PODS, "kept"), "status", "containerStatuses")
                .get(0);
        assertThat(JsonNodes.text(kept, "state", "waiting", "reason")).isEqualTo("CrashLoopBackOff");
        assertThat(JsonNodes.text(kept, "state", "waiting", "message"))
                .matches("back-off 10s restarting failed container=c pod=kept_ns\\(.+\\)");
        assertThat(JsonNodes.text(kept, "lastState", "terminated", "message")).isEqualTo("one\ntwo: not found");
        assertThat(JsonNodes.has(
                        JsonNodes.at(world.get(Gvr.PODS, "plain"), "status", "containerStatuses")
                                .get(0),
                        "lastState",
                        "terminated",
                        "message"))
                .isFalse();
        assertThat(world.sim.podLog(plain, "c")).contains("one\ntwo: not found\n");
    }

    /** Linux does not deliver SIGTERM to a process 1 that does not handle it. */
    @Test
    void aPodWhoseFirstProcessDoesNotHearSigtermTakesItsWholeGracePeriod() {
        String deaf = "'command':['sleep','infinity']";
        String hears = "'command':['sh','-c','trap exit TERM; while :; do sleep 3600 & wait; done']";
        for (String command : new String[] {deaf, hears}) {
            world.pod(
                    command.equals(deaf) ? "deaf" : "hears",
                    "{'terminationGracePeriodSeconds':60,'containers':[{'name':'c','image':'i'," + command + "}]}");
        }
        world.advance("PT5S");
        Pods.delete(world.api, world.get(Gvr.PODS, "deaf"));
        Pods.delete(world.api, world.get(Gvr.PODS, "hears"));
        world.advance("PT50S");

        assertThat(world.api.get(Gvr.PODS, "ns", "hears")).isEmpty();
        assertThat(world.api.get(Gvr.PODS, "ns", "deaf")).isPresent();
        world.advance("PT11S");
        assertThat(world.api.get(Gvr.PODS, "ns", "deaf")).isEmpty();
    }

    @Test
    void aPodThatItsNodeDoesNotFitAnyMoreIsRejectedAfterABoot() {
        world.sim.nodes().label("n1", "kernel", "old");
        world.pod("old", "{'nodeSelector':{'kernel':'old'},'containers':[{'name':'c','image':'i'}]}");
        world.advance("PT5S");
        world.sim.nodes().reboot("n1");
        world.sim.nodes().label("n1", "kernel", "new");
        world.advance("PT60S");

        assertThat(Pods.phase(world.get(Gvr.PODS, "old"))).isEqualTo("Failed");
        assertThat(JsonNodes.text(world.get(Gvr.PODS, "old"), "status", "reason"))
                .isEqualTo("NodeAffinity");
    }

    @Test
    void aPullThatIsTriedAgainSaysWhatWentWrong() {
        world.sim.behaviors().add(Behavior.pullError("no basic auth credentials"));
        world.pod("p", SimWorld.podSpec("i", ""));
        world.advance("PT5S");

        var status = JsonNodes.at(world.get(Gvr.PODS, "p"), "status", "containerStatuses")
                .get(0);
        assertThat(JsonNodes.text(status, "state", "waiting", "reason")).isEqualTo("ImagePullBackOff");
        assertThat(JsonNodes.text(status, "state", "waiting", "message"))
                .isEqualTo("Back-off pulling image \"i\": ErrImagePull: no basic auth credentials");
    }

    /** Word for word what kubelet 1.36.2 with containerd 2 said on a real node. */
    @Test
    void anImageThatIsNotThereIsMissedAsOnARealNode() {
        world.sim.registry().remove("r.example/p:3");
        world.pod("p", SimWorld.podSpec("r.example/p:3", ""));
        world.advance("PT5S");

        var status = JsonNodes.at(world.get(Gvr.PODS, "p"), "status", "containerStatuses")
                .get(0);
        assertThat(JsonNodes.text(status, "state", "waiting", "message"))
                .isEqualTo("Back-off pulling image \"r.example/p:3\": ErrImagePull: rpc error: code = NotFound desc ="
                        + " failed to pull and unpack image \"r.example/p:3\": failed to resolve image:"
                        + " r.example/p:3: not found");
    }

    @Test
    void restartsContainersOnDemand() {
        world.pod("p", SimWorld.podSpec("i", ""));
        world.advance("PT2S");

        world.sim.restartContainers("ns", "p", "");
        world.advance("PT2S");

        ObjectNode pod = world.get(Gvr.PODS, "p");
        assertThat(Pods.ready(pod)).isTrue();
        assertThat(pod.at("/status/containerStatuses/0/restartCount").asInt()).isEqualTo(1);
        assertThat(pod.at("/status/containerStatuses/0/lastState/terminated/exitCode")
                        .asInt())
                .isEqualTo(137);
    }
}
