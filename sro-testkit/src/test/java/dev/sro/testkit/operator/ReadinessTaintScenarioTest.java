package dev.sro.testkit.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.resource.SpecialResource;
import dev.sro.testkit.server.Gvr;
import dev.sro.testkit.server.Recording;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** New nodes come with the readiness taint of a special resource, and others' taints beside it. */
class ReadinessTaintScenarioTest {

    private static final String KEY = "acme.com/not-ready";
    private static final NodeProfile NODE = NodeProfile.of(OsRelease.RHEL_9).withLabel("example.com/device", "true");
    private static final Duration LONG = Duration.ofMinutes(20);

    private final SroSandbox sandbox = SroSandbox.create(new KmodPlugin());

    @BeforeEach
    void ready() {
        sandbox.nodes().create("one", NODE);
        sandbox.run(Duration.ofMinutes(2));
        sandbox.apply(KmodPlugin.RESOURCE + "  readinessTaint: {key: " + KEY + ", value: kmod}\n");
        assertThat(sandbox.runUntil(LONG, () -> sandbox.isReady("kmod"))).isTrue();
        sandbox.run(Duration.ofMinutes(1));
    }

    @AfterEach
    void close() {
        sandbox.close();
    }

    private List<String> taints(String node) {
        List<String> keys = new ArrayList<>();
        sandbox.nodes()
                .get(node)
                .at("/spec/taints")
                .forEach(taint -> keys.add(
                        taint.at("/key").asText() + ":" + taint.at("/effect").asText()));
        return keys;
    }

    private String label(String node) {
        return sandbox.nodes()
                .get(node)
                .at("/metadata/labels/specialresource.openshift.io~1state-kmod-2000")
                .asText();
    }

    @Test
    void aNodeThatKubeletRegistersWithItIsFreedWhenItIsReady() {
        sandbox.nodes().create("two", NODE).taint("two", KEY, "kubelet", "NoSchedule");
        sandbox.nodes().taint("two", "example.com/batch", "only", "PreferNoSchedule");

        assertThat(sandbox.runUntil(LONG, () -> !taints("two").contains(KEY + ":NoSchedule")))
                .as(() -> sandbox.state("kmod"))
                .isTrue();
        assertThat(label("two")).isEqualTo("Ready");
        sandbox.run(Duration.ofMinutes(1));
        assertThat(taints("two")).containsExactly("example.com/batch:PreferNoSchedule");
        assertThat(sandbox.isReady("kmod")).isTrue();
    }

    @Test
    void aNodeThatReadinessLeavesGetsItAndEveryPodOfTheRecipeToleratesIt() {
        sandbox.cluster()
                .api()
                .list(Gvr.DAEMONSETS)
                .forEach(set -> assertThat(
                                set.at("/spec/template/spec/tolerations").toString())
                        .contains(KEY));
        sandbox.nodes().create("two", NODE.withKernel("5.14.0-1.el9.x86_64"));
        assertThat(sandbox.runUntil(LONG, () -> taints("two").contains(KEY + ":NoSchedule")))
                .isTrue();
        assertThat(taints("one")).isEmpty();
        assertThat(sandbox.runUntil(LONG, () -> taints("two").isEmpty())).isTrue();
        assertThat(label("two")).isEqualTo("Ready");
    }

    @Test
    void nothingIsRequestedOnceItIsSettledAndARestartWritesNothing() {
        sandbox.cluster().recording().start();
        sandbox.run(Duration.ofHours(1));
        assertThat(sandbox.cluster()
                        .recording()
                        .entries(entry -> entry.userAgent().equals("sro")))
                .allMatch(entry -> entry.verb().equals("watch"));
        sandbox.kill();
        sandbox.start();
        sandbox.run(Duration.ofMinutes(5));
        assertThat(sandbox.cluster()
                        .recording()
                        .entries(entry -> entry.userAgent().equals("sro")))
                .noneMatch(Recording.Entry::isWrite);
    }

    @Test
    void itGoesWithTheSpecialResourceAndWhatOthersPutThereStays() {
        sandbox.nodes().create("two", NODE.withKernel("5.14.0-1.el9.x86_64"));
        sandbox.nodes().taint("two", "example.com/batch", "only", "PreferNoSchedule");
        assertThat(sandbox.runUntil(LONG, () -> taints("two").contains(KEY + ":NoSchedule")))
                .isTrue();
        sandbox.client().resources(SpecialResource.class).withName("kmod").delete();
        assertThat(sandbox.runUntil(LONG, () -> sandbox.get("kmod").isEmpty())).isTrue();
        assertThat(taints("two")).containsExactly("example.com/batch:PreferNoSchedule");
    }
}
