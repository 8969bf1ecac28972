package dev.sro.runtime.demo;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.core.plugin.Plugins;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.sim.Behavior;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a scenario says that does not get where it has to. */
class DemoStageTest {

    private final SroSandbox sandbox = SroSandbox.create(false, Plugins.of(new DemoDriver()));

    @AfterEach
    void close() {
        sandbox.close();
    }

    private void neverDone(String spec, boolean applied) {
        sandbox.nodes().create("worker-1", NodeProfile.of(OsRelease.UBUNTU_22));
        if (applied) {
            sandbox.apply("""
                apiVersion: sro.openshift.io/v1beta1
                kind: SpecialResource
                metadata: {name: device}
                spec:
                  namespace: device
                  plugin: {name: demo-driver}
                  set: {apiVersion: sro.openshift.io/v1beta1, kind: Values, version: "1"}
                """ + spec.indent(2));
        }
        DemoStage stage = new DemoStage(
                sandbox,
                new PlainView(new PrintWriter(new StringWriter())),
                Pacer.none(),
                Clock.systemUTC(),
                "device",
                1,
                Duration.ofMinutes(3));
        stage.run("never", "never done", () -> {
            stage.until(() -> false);
            return List.of();
        });
    }

    @Test
    void aProblemOfTheWholeSpecialResourceIsSaid() {
        assertThatThrownBy(() -> neverDone(
                        "partitioning: {soft: {priorityClasses: [{name: high, value: 9}], defaultClass: high}}", true))
                .isInstanceOf(DemoFailedException.class)
                .hasMessageStartingWith("not done after 3 minutes of the cluster's time; the status says: ")
                .hasMessageContaining("InvalidPartitioning: spec.partitioning.soft.defaultClass: ");
    }

    @Test
    void soAreStatesThatAreNotReady() {
        sandbox.simulation().behaviors().add(Behavior.crashLoop().container("main"));

        assertThatThrownBy(() -> neverDone("", true))
                .hasMessageContaining("the status says: ")
                .hasMessageContaining("1000-driver: 0 of 1 nodes ready", "ContainerFailed: ", "CrashLoopBackOff");
    }

    @Test
    void whenAllIsReadyItWasSomethingElse() {
        assertThatThrownBy(() -> neverDone("", true)).hasMessageEndingWith("; all states are ready");
    }

    @Test
    void orThatItIsNotThere() {
        assertThatThrownBy(() -> neverDone("", false)).hasMessageEndingWith("; the SpecialResource is gone");
    }
}
