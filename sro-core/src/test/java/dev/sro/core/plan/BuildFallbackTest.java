package dev.sro.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.ManifestTemplate;
import dev.sro.api.Outcome;
import dev.sro.api.Reach;
import dev.sro.api.State;
import dev.sro.core.fixture.Nodes;
import dev.sro.core.fixture.World;
import dev.sro.core.model.KubeObject;
import dev.sro.core.probe.PodFacts;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What is said of a driver whose image cannot be pulled, and of the build that makes it. */
class BuildFallbackTest {

    private static final State BUILD = State.of("0000-build", ManifestTemplate.text("b.yaml", """
        apiVersion: build.openshift.io/v1
        kind: BuildConfig
        metadata:
          name: build
          annotations:
            specialresource.openshift.io/kernel-affine: "true"
            specialresource.openshift.io/driver-container-vendor: acme
        spec: {source: {type: Git}}
        """));

    private static final State DRIVER = State.builder()
            .id("1000-driver")
            .reach(Reach.nodeByNode())
            .addManifests(ManifestTemplate.text("d.yaml", """
                apiVersion: apps/v1
                kind: DaemonSet
                metadata:
                  name: driver
                  annotations:
                    specialresource.openshift.io/kernel-affine: "true"
                    specialresource.openshift.io/driver-container-vendor: acme
                spec: {template: {spec: {containers: [{name: c, image: "driver:1"}]}}}
                """))
            .build();

    private final World world = new World(BUILD, DRIVER).with(Nodes.node("a", Nodes.K1));

    private static PodFacts unpulled(PodFacts pod) {
        return new PodFacts(
                pod.namespace(),
                pod.name(),
                pod.owner(),
                pod.node(),
                "Pending",
                false,
                false,
                pod.templateGeneration(),
                "ImagePullBackOff",
                "manifest unknown",
                pod.uid(),
                pod.workload(),
                pod.containers(),
                0,
                pod.driverDigest(),
                pod.work(),
                pod.created(),
                pod.steadyFrom(),
                pod.changed(),
                pod.counted());
    }

    /** The outcome of the driver's node, with this newest build beside one that failed. */
    private Outcome said(String phase, Function<World, String> completion) {
        world.badNodes.add("a");
        world.settle();
        world.pods.replaceAll((key, pod) -> unpulled(pod));
        world.step();
        KubeObject config = world.objects.values().stream()
                .filter(live -> live.ref().kind().equals("BuildConfig"))
                .findFirst()
                .orElseThrow();
        world.children.put(config.uid(), List.of(build(10, phase, completion.apply(world)), build(9, "Failed", "")));
        return world.plan().states().get(1).outcome();
    }

    private static KubeObject build(int number, String phase, String completion) {
        return KubeObject.of(Map.of(
                "apiVersion",
                "build.openshift.io/v1",
                "kind",
                "Build",
                "metadata",
                Map.of(
                        "name",
                        "build-" + number,
                        "namespace",
                        "kmod",
                        "annotations",
                        Map.of("openshift.io/build.number", String.valueOf(number))),
                "status",
                Map.of("phase", phase, "completionTimestamp", completion)));
    }

    @Test
    void whileItRunsTheImageIsWaitedFor() {
        assertThat(said("Running", any -> "")).isInstanceOf(Outcome.Waiting.class);
        assertThat(world.plan().states()).noneMatch(state -> state.outcome() instanceof Outcome.Failed);
    }

    @Test
    void whenItIsCompleteAndTheImageStillCannotBePulledThatIsAFailure() {
        assertThat(said("Complete", w -> w.now.minus(Duration.ofMinutes(7)).toString()))
                .isInstanceOfSatisfying(Outcome.Failed.class, failed -> {
                    assertThat(failed.problem().code()).isEqualTo("ImagePullFailed");
                    assertThat(failed.problem().message())
                            .contains("manifest unknown", "spec.output.to", "right to pull");
                });
    }

    @Test
    void aBuildThatNeverSaysWhenItEndedIsNotWaitedForEither() {
        assertThat(said("Complete", any -> "")).isInstanceOf(Outcome.Failed.class);
    }

    @Test
    void untilTheKubeletHasTriedAgainNothingIsWrongAndSroLooksAgainThen() {
        assertThat(said("Complete", w -> w.now.minus(Duration.ofMinutes(1)).toString()))
                .isInstanceOfSatisfying(
                        Outcome.Waiting.class,
                        waiting -> assertThat(waiting.on()).contains("has built the image"));
        assertThat(world.plan().wakeUp())
                .hasValueSatisfying(at ->
                        assertThat(at).isAfter(world.now).isBeforeOrEqualTo(world.now.plus(Duration.ofMinutes(5))));
    }

    @Test
    void aBuildThatFailedIsWhatIsWrong() {
        said("Failed", any -> "");
        assertThat(world.plan().states().get(0).outcome())
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.problem().code()).isEqualTo("BuildFailed"));
    }
}
