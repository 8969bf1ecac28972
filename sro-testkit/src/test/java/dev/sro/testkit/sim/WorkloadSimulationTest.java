package dev.sro.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sro.testkit.server.Change;
import dev.sro.testkit.server.Gvr;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WorkloadSimulationTest {
    private final SimWorld world = new SimWorld();

    @BeforeEach
    void oneNode() {
        world.node("n1").advance("PT3S");
    }

    @AfterEach
    void close() {
        world.close();
    }

    private JsonNode condition(String type) {
        return Conditions.find(world.get(Gvr.DEPLOYMENTS, "a"), type);
    }

    @Test
    void aDeploymentComesUpWithConditionsAndRevision() {
        world.deployment("a", 2, "");
        world.advance("PT3S");

        assertThat(world.counters(Gvr.DEPLOYMENTS, "a"))
                .isEqualTo("{availableReplicas=2, observedGeneration=1, readyReplicas=2, replicas=2,"
                        + " terminatingReplicas=0, updatedReplicas=2}");
        assertThat(JsonNodes.text(condition("Available"), "reason")).isEqualTo("MinimumReplicasAvailable");
        assertThat(JsonNodes.text(condition("Progressing"), "reason")).isEqualTo("NewReplicaSetAvailable");
        assertThat(JsonNodes.text(
                        world.get(Gvr.DEPLOYMENTS, "a"),
                        "metadata",
                        "annotations",
                        "deployment.kubernetes.io/revision"))
                .isEqualTo("1");
    }

    @Test
    void aRolloutStaysInsideSurgeAndAvailability() {
        world.deployment("a", 4, "");
        world.advance("PT3S");
        world.changes.clear();

        world.setImage(Gvr.DEPLOYMENTS, "a", "img:2");
        world.advance("PT30S");

        List<JsonNode> states = world.changesOf(Gvr.DEPLOYMENTS, c -> true).stream()
                .map(c -> c.object().path("status"))
                .toList();
        assertThat(states).allMatch(s -> s.path("replicas").asInt() <= 5);
        assertThat(states).allMatch(s -> s.path("availableReplicas").asInt() >= 3);
        assertThat(world.pods()).hasSize(4);
        assertThat(world.pods())
                .allMatch(
                        p -> JsonNodes.text(p.at("/spec/containers/0"), "image").equals("img:2"));
        assertThat(JsonNodes.text(
                        world.get(Gvr.DEPLOYMENTS, "a"),
                        "metadata",
                        "annotations",
                        "deployment.kubernetes.io/revision"))
                .isEqualTo("2");
    }

    @Test
    void recreateStopsAllOldPodsBeforeItStartsNewOnes() {
        world.deployment("a", 2, ",'strategy':{'type':'Recreate'}");
        world.advance("PT3S");
        world.changes.clear();
        world.setImage(Gvr.DEPLOYMENTS, "a", "img:2");
        world.advance("PT10S");

        List<Change> pods =
                world.changesOf(Gvr.PODS, c -> c.kind() == Change.Kind.DELETED || c.kind() == Change.Kind.ADDED);
        assertThat(pods)
                .extracting(Change::kind)
                .containsExactly(Change.Kind.DELETED, Change.Kind.DELETED, Change.Kind.ADDED, Change.Kind.ADDED);
        assertThat(JsonNodes.integer(world.status(Gvr.DEPLOYMENTS, "a"), 0, "availableReplicas"))
                .isEqualTo(2);
    }

    @Test
    void scalesUpAndDownAndHoldsARolloutWhilePaused() {
        world.deployment("a", 1, "");
        world.advance("PT3S");
        world.edit(Gvr.DEPLOYMENTS, "a", d -> JsonNodes.child(d, "spec").put("replicas", 3));
        world.advance("PT3S");
        assertThat(world.pods()).hasSize(3);

        world.edit(Gvr.DEPLOYMENTS, "a", d -> JsonNodes.child(d, "spec").put("paused", true));
        world.setImage(Gvr.DEPLOYMENTS, "a", "img:2");
        world.advance("PT5S");
        assertThat(world.status(Gvr.DEPLOYMENTS, "a").has("updatedReplicas")).isFalse();
        assertThat(JsonNodes.text(condition("Progressing"), "reason")).isEqualTo("DeploymentPaused");

        world.edit(
                Gvr.DEPLOYMENTS,
                "a",
                d -> JsonNodes.child(d, "spec").put("paused", false).put("replicas", 1));
        world.advance("PT20S");

        assertThat(world.pods()).hasSize(1);
        assertThat(JsonNodes.text(world.pods().get(0).at("/spec/containers/0"), "image"))
                .isEqualTo("img:2");
    }

    /** The annotations of a Deployment count in its generation, unlike those of other workloads. */
    @Test
    void aChangeOfAnnotationsAloneIsObservedAtOnce() {
        world.deployment("a", 1, "");
        world.advance("PT3S");

        world.edit(
                Gvr.DEPLOYMENTS,
                "a",
                d -> JsonNodes.child(d, "metadata", "annotations").put("note", "new"));
        world.cluster.settle();

        assertThat(JsonNodes.integer(world.get(Gvr.DEPLOYMENTS, "a"), 0, "metadata", "generation"))
                .isEqualTo(2);
        assertThat(JsonNodes.integer(world.status(Gvr.DEPLOYMENTS, "a"), 0, "observedGeneration"))
                .isEqualTo(2);
    }

    @Test
    void aStuckRolloutIsReportedAfterItsDeadline() {
        world.sim.behaviors().add(Behavior.neverReady().workload("a"));
        world.deployment("a", 1, ",'progressDeadlineSeconds':60");
        world.advance("PT2M");

        assertThat(JsonNodes.text(condition("Progressing"), "status")).isEqualTo("False");
        assertThat(JsonNodes.text(condition("Progressing"), "reason")).isEqualTo("ProgressDeadlineExceeded");
        assertThat(JsonNodes.text(condition("Available"), "status")).isEqualTo("False");
    }

    @Test
    void replacesADeletedPodOfADeployment() {
        world.deployment("a", 1, "");
        world.advance("PT3S");
        String first = JsonNodes.name(world.pods().get(0));
        Pods.delete(world.api, world.pods().get(0));
        world.advance("PT5S");

        assertThat(world.pods()).hasSize(1);
        assertThat(JsonNodes.name(world.pods().get(0))).isNotEqualTo(first);
    }

    @Test
    void aDisruptionBudgetCountsHealthyPods() {
        world.api.create(
                Gvr.PODDISRUPTIONBUDGETS,
                SimWorld.json("{'apiVersion':'policy/v1','kind':'PodDisruptionBudget','metadata':{'name':'b',"
                        + "'namespace':'ns'},'spec':{'maxUnavailable':1,'selector':{'matchLabels':{'app':'a'}}}}"));
        world.deployment("a", 3, "");
        world.advance("PT3S");
        assertThat(world.counters(Gvr.PODDISRUPTIONBUDGETS, "b"))
                .isEqualTo("{currentHealthy=3, desiredHealthy=2, disruptionsAllowed=1, expectedPods=3,"
                        + " observedGeneration=1}");

        world.sim.nodes().notReady("n1");
        world.advance("PT3S");

        assertThat(JsonNodes.integer(world.status(Gvr.PODDISRUPTIONBUDGETS, "b"), -1, "disruptionsAllowed"))
                .isZero();
        assertThat(JsonNodes.text(
                        Conditions.find(world.get(Gvr.PODDISRUPTIONBUDGETS, "b"), "DisruptionAllowed"), "reason"))
                .isEqualTo("InsufficientPods");
    }

    @Test
    void aStatefulSetGoesUpInOrderAndUpdatesFromTheEnd() {
        world.api.create(
                Gvr.STATEFULSETS,
                SimWorld.json("{'apiVersion':'apps/v1','kind':'StatefulSet','metadata':{'name':'s','namespace':'ns'},"
                        + "'spec':{'serviceName':'s','replicas':2,'selector':{'matchLabels':{'app':'a'}},'template':"
                        + SimWorld.podTemplate(SimWorld.podSpec("img:1", "")) + "}}"));
        world.advance("PT0.4S");
        assertThat(world.pods()).extracting(JsonNodes::name).containsExactly("s-0");
        world.advance("PT5S");
        assertThat(world.counters(Gvr.STATEFULSETS, "s"))
                .isEqualTo("{availableReplicas=2, collisionCount=0, currentReplicas=2, observedGeneration=1,"
                        + " readyReplicas=2, replicas=2, updatedReplicas=2}");
        world.changes.clear();

        world.setImage(Gvr.STATEFULSETS, "s", "img:2");
        world.advance("PT10S");

        assertThat(world.changesOf(Gvr.PODS, c -> c.kind() == Change.Kind.DELETED))
                .extracting(c -> JsonNodes.name(c.object()))
                .containsExactly("s-1", "s-0");
        assertThat(JsonNodes.text(world.status(Gvr.STATEFULSETS, "s"), "currentRevision"))
                .isEqualTo(JsonNodes.text(world.status(Gvr.STATEFULSETS, "s"), "updateRevision"));
    }

    @Test
    void aBuildConfigBuildsOnCreationAndItsDriverComesUp() {
        world.daemonSet("drv", SimRegistry.OPENSHIFT_INTERNAL + "/ns/drv:v1", "");
        buildConfig();
        world.advance("PT3S");
        assertThat(JsonNodes.text(build(1), "reason")).isEqualTo("InvalidOutputReference");

        imageStream();
        world.advance("PT3S");
        assertThat(JsonNodes.text(build(1), "phase")).isEqualTo("Running");
        assertThat(JsonNodes.text(world.get(Gvr.PODS, "b-1-build"), "spec", "serviceAccountName"))
                .isEqualTo("builder");
        world.advance("PT30S");

        assertThat(JsonNodes.text(build(1), "phase")).isEqualTo("Complete");
        JsonNode tag = world.status(Gvr.IMAGESTREAMS, "drv").at("/tags/0");
        assertThat(JsonNodes.text(tag, "tag")).isEqualTo("v1");
        assertThat(JsonNodes.text(tag.at("/items/0"), "dockerImageReference"))
                .startsWith(SimRegistry.OPENSHIFT_INTERNAL + "/ns/drv@sha256:");
        assertThat(JsonNodes.integer(world.status(Gvr.DAEMONSETS, "drv"), 0, "numberAvailable"))
                .isEqualTo(1);
    }

    @Test
    void buildsOfOneConfigRunOneAfterTheOther() {
        imageStream();
        world.sim.behaviors().add(Behavior.fail(1, Duration.ofSeconds(2)).workload("b-1"));
        buildConfig();
        world.cluster.settle();
        world.sim.startBuild("ns", "b");
        world.advance("PT1S");
        assertThat(JsonNodes.text(build(2), "phase")).isEqualTo("New");
        world.advance("PT30S");

        assertThat(JsonNodes.text(build(1), "phase")).isEqualTo("Failed");
        assertThat(JsonNodes.text(build(1), "reason")).isEqualTo("GenericBuildFailed");
        assertThat(JsonNodes.text(build(2), "phase")).isEqualTo("Complete");
        assertThat(JsonNodes.integer(world.status(Gvr.BUILDCONFIGS, "b"), 0, "lastVersion"))
                .isEqualTo(2);
    }

    private JsonNode build(int number) {
        return world.status(Gvr.BUILDS, "b-" + number);
    }

    private void imageStream() {
        world.api.create(
                Gvr.IMAGESTREAMS,
                SimWorld.json("{'apiVersion':'image.openshift.io/v1','kind':'ImageStream','metadata':{'name':'drv',"
                        + "'namespace':'ns'},'spec':{}}"));
    }

    private void buildConfig() {
        world.api.create(
                Gvr.BUILDCONFIGS,
                SimWorld.json("{'apiVersion':'build.openshift.io/v1','kind':'BuildConfig','metadata':{'name':'b',"
                        + "'namespace':'ns'},'spec':{'triggers':[{'type':'ConfigChange'}],'strategy':{'type':'Docker'},"
                        + "'nodeSelector':{'pool':'a'},'output':{'to':{'kind':'ImageStreamTag','name':'drv:v1'}}}}"));
    }
}
