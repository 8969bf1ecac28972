package dev.sro.testkit.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.testkit.server.Gvr;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Watches that are open and silent: what happened in the meantime is found by listing anew. */
final class SilentWatchTest {

    private static final Duration SILENCE = Duration.ofMinutes(15);
    private static final NodeProfile RHEL = NodeProfile.of(OsRelease.RHEL_9).withLabel("example.com/device", "true");

    private final SroSandbox sandbox = SroSandbox.create(new KmodPlugin());

    @BeforeEach
    void ready() {
        sandbox.kill();
        sandbox.relistAfter(SILENCE).start();
        sandbox.nodes().create("a", RHEL);
        sandbox.nodes().create("b", NodeProfile.of(OsRelease.UBUNTU_22).withLabel("example.com/device", "true"));
        sandbox.run(Duration.ofMinutes(2));
        sandbox.apply(KmodPlugin.RESOURCE);
        assertThat(sandbox.runUntil(Duration.ofMinutes(10), () -> sandbox.isReady("kmod")))
                .isTrue();
        sandbox.run(Duration.ofSeconds(5));
    }

    @AfterEach
    void close() {
        sandbox.close();
    }

    private List<DaemonSet> daemonSets() {
        return sandbox.client()
                .apps()
                .daemonSets()
                .inAnyNamespace()
                .withLabel("specialresource.openshift.io/owned")
                .list()
                .getItems();
    }

    @Test
    void anObjectThatWasDeletedUnseenComesBack() {
        int all = daemonSets().size();
        sandbox.cluster().silenceWatches(Gvr.DAEMONSETS);
        sandbox.client().resource(daemonSets().get(0)).delete();
        sandbox.run(Duration.ofMinutes(10));
        assertThat(daemonSets()).as("nobody saw it").hasSize(all - 1);

        sandbox.run(Duration.ofMinutes(10));

        assertThat(daemonSets()).hasSize(all);
        assertThat(sandbox.isReady("kmod")).isTrue();
    }

    @Test
    void aNodeThatLeftUnseenTakesItsPoolWithIt() {
        int all = daemonSets().size();
        sandbox.cluster().silenceWatches(null);
        sandbox.client().nodes().withName("b").delete();

        sandbox.run(Duration.ofMinutes(40));

        assertThat(daemonSets()).hasSize(all / 2);
    }
}
