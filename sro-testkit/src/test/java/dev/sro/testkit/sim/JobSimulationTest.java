package dev.sro.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sro.testkit.server.Change;
import dev.sro.testkit.server.DeleteOptions;
import dev.sro.testkit.server.Gvr;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobSimulationTest {
    private final SimWorld world = new SimWorld();

    @BeforeEach
    void oneNode() {
        world.node("n1").advance("PT3S");
    }

    @AfterEach
    void close() {
        world.close();
    }

    private List<String> conditions(String job) {
        return world.status(Gvr.JOBS, job).path("conditions").findValuesAsText("type");
    }

    @Test
    void completesInTheStepsOfTheRealController() {
        world.job("a", "", "");
        world.advance("PT10S");

        List<JsonNode> states = world.changesOf(Gvr.JOBS, c -> c.kind() == Change.Kind.MODIFIED).stream()
                .map(c -> c.object().path("status"))
                .toList();
        assertThat(states.get(0).path("active").asInt()).isEqualTo(1);
        JsonNode listed = states.get(states.size() - 2);
        assertThat(listed.at("/uncountedTerminatedPods/succeeded")).hasSize(1);
        assertThat(listed.path("conditions").findValuesAsText("type")).containsExactly("SuccessCriteriaMet");
        assertThat(listed.has("succeeded")).isFalse();
        JsonNode last = states.get(states.size() - 1);
        assertThat(last.path("conditions").findValuesAsText("type")).containsExactly("SuccessCriteriaMet", "Complete");
        assertThat(last.path("succeeded").asInt()).isEqualTo(1);
        assertThat(last.has("completionTime")).isTrue();
        assertThat(JsonNodes.texts(world.pods().get(0), "metadata", "finalizers"))
                .isEmpty();
    }

    @Test
    void runsCompletionsWithLimitedParallelism() {
        world.job("a", "", ",'completions':5,'parallelism':2");
        world.advance("PT30S");

        assertThat(world.status(Gvr.JOBS, "a").path("succeeded").asInt()).isEqualTo(5);
        assertThat(world.changesOf(Gvr.JOBS, c -> true))
                .allMatch(c -> JsonNodes.integer(c.object(), 0, "status", "active") <= 2);
    }

    @Test
    void givesEachIndexItsPod() {
        world.job("a", "", ",'completions':3,'parallelism':3,'completionMode':'Indexed'");
        world.advance("PT10S");

        assertThat(JsonNodes.text(world.status(Gvr.JOBS, "a"), "completedIndexes"))
                .isEqualTo("0-2");
        assertThat(world.pods())
                .extracting(p -> JsonNodes.text(p, "spec", "hostname"))
                .containsExactlyInAnyOrder("a-0", "a-1", "a-2");
    }

    @Test
    void failsAtTheBackoffLimitAfterWaitingBetweenAttempts() {
        world.sim.behaviors().add(Behavior.fail(3, Duration.ofMillis(100)));
        world.job("a", "", ",'backoffLimit':1");
        world.advance("PT8S");
        assertThat(world.pods()).hasSize(1);
        assertThat(world.status(Gvr.JOBS, "a").path("failed").asInt()).isEqualTo(1);
        world.advance("PT30S");

        assertThat(conditions("a")).containsExactly("FailureTarget", "Failed");
        assertThat(JsonNodes.text(Conditions.find(world.get(Gvr.JOBS, "a"), "Failed"), "reason"))
                .isEqualTo("BackoffLimitExceeded");
        assertThat(world.status(Gvr.JOBS, "a").path("failed").asInt()).isEqualTo(2);
        assertThat(world.pods()).hasSize(2);
    }

    @Test
    void recoversFromFailuresBelowTheLimit() {
        world.sim.behaviors().add(Behavior.fail(1, Duration.ofMillis(100)).times(2));
        world.job("a", "", "");
        world.advance("PT2M");

        assertThat(conditions("a")).contains("Complete");
        assertThat(world.status(Gvr.JOBS, "a").path("failed").asInt()).isEqualTo(2);
    }

    @Test
    void theFailurePolicyEndsItAtOnce() {
        world.sim.behaviors().add(Behavior.fail(3, Duration.ofMillis(100)));
        world.job(
                "a",
                "",
                ",'podFailurePolicy':{'rules':[{'action':'FailJob','onExitCodes':{'operator':'In','values':[3]}}]}");
        world.advance("PT5S");

        JsonNode failed = Conditions.find(world.get(Gvr.JOBS, "a"), "Failed");
        assertThat(JsonNodes.text(failed, "reason")).isEqualTo("PodFailurePolicy");
        assertThat(JsonNodes.text(failed, "message"))
                .isEqualTo("Container c for pod " + JsonNodes.key(world.pods().get(0))
                        + " failed with exit code 3 matching FailJob rule at index 0");
    }

    @Test
    void theDeadlineEndsARunningJob() {
        world.sim.behaviors().add(Behavior.runForever());
        world.job("a", "", ",'activeDeadlineSeconds':30");
        world.advance("PT60S");

        assertThat(JsonNodes.text(Conditions.find(world.get(Gvr.JOBS, "a"), "Failed"), "reason"))
                .isEqualTo("DeadlineExceeded");
        assertThat(world.pods()).allMatch(p -> JsonNodes.deleting(p) || Pods.finished(p));
    }

    @Test
    void suspendingStopsItsPodsAndResumingStartsThemAgain() {
        world.sim.behaviors().add(Behavior.runForever());
        world.job("a", "", "");
        world.advance("PT5S");
        world.edit(Gvr.JOBS, "a", j -> JsonNodes.child(j, "spec").put("suspend", true));
        world.advance("PT5S");
        assertThat(world.pods()).isEmpty();
        assertThat(Conditions.isTrue(world.get(Gvr.JOBS, "a"), "Suspended")).isTrue();
        assertThat(world.status(Gvr.JOBS, "a").has("failed")).isFalse();

        world.sim.behaviors().clear();
        world.edit(Gvr.JOBS, "a", j -> JsonNodes.child(j, "spec").put("suspend", false));
        world.advance("PT10S");

        assertThat(conditions("a")).contains("Complete");
        assertThat(Conditions.isTrue(world.get(Gvr.JOBS, "a"), "Suspended")).isFalse();
    }

    @Test
    void leavesNothingBehindAfterItsTimeToLive() {
        world.job("a", "", ",'ttlSecondsAfterFinished':60");
        world.advance("PT30S");
        assertThat(world.api.list(Gvr.JOBS)).hasSize(1);
        world.advance("PT60S");

        assertThat(world.api.list(Gvr.JOBS)).isEmpty();
        assertThat(world.pods()).isEmpty();
    }

    @Test
    void deletingARunningJobTakesItsPodsAlong() {
        world.sim.behaviors().add(Behavior.runForever());
        world.job("a", "", ",'completions':2,'parallelism':2");
        world.advance("PT5S");

        world.delete(Gvr.JOBS, "a");
        world.advance("PT10S");

        assertThat(world.pods()).isEmpty();
    }

    @Test
    void podsThatADeletedJobLeavesBehindCanBeDeleted() {
        world.sim.behaviors().add(Behavior.runForever());
        world.job("a", "", "");
        world.advance("PT5S");

        world.api.delete(Gvr.JOBS, "ns", "a", DeleteOptions.with(DeleteOptions.Propagation.ORPHAN));
        world.advance("PT5S");
        assertThat(world.pods()).hasSize(1);
        world.delete(Gvr.PODS, world.pods().get(0).at("/metadata/name").asText());
        world.advance("PT60S");

        assertThat(world.pods()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ",'args':['--output','type=image,name=reg/drv:v1,push=true']",
                ",'args':['build','--output=type=image,push=true,name=reg/drv:v1']",
                ",'args':['--context=/src','--destination=reg/drv:v1']",
                ",'command':['sh','-c','buildah bud -t x . && buildah push reg/drv:v1']"
            })
    void aBuildJobPushesItsImageWhenItSucceeds(String container) {
        world.sim.registry().onlyPushed("reg/*");
        world.job("build", container, "");
        world.advance("PT5S");
        assertThat(world.sim.registry().exists("reg/drv:v1")).isFalse();
        world.advance("PT5S");

        assertThat(world.sim.registry().pushes()).containsExactly("reg/drv:v1");
    }

    @Test
    void aBuildJobThatFailsPushesNothing() {
        world.sim.behaviors().add(Behavior.fail(2, Duration.ofSeconds(1)).workload("build"));
        world.job("build", ",'args':['--destination=reg/drv:v1']", ",'backoffLimit':0");
        world.advance("PT30S");

        assertThat(conditions("build")).contains("Failed");
        assertThat(world.sim.registry().pushes()).isEmpty();
    }

    @Test
    void theAnnotationNamesPushesToo() {
        world.api.create(
                Gvr.JOBS,
                SimWorld.json("{'apiVersion':'batch/v1','kind':'Job','metadata':{'name':'b','namespace':'ns'},'spec':"
                        + "{'template':{'metadata':{'annotations':{'sim.sro.dev/pushes':'reg/a:1, reg/b'}},'spec':"
                        + "{'restartPolicy':'Never','containers':[{'name':'c','image':'i'}]}}}}"));
        world.advance("PT10S");

        assertThat(world.sim.registry().pushes()).containsExactly("reg/a:1", "reg/b:latest");
    }
}
