package dev.sro.testkit.charts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.testkit.server.Gvr;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the Special Resource Operator left running is taken over, and none of it is restarted. */
class AdoptionScenarioTest extends AdoptionWorld {

    @Test
    void nothingIsRestarted() {
        Set<String> before = running();
        assertThat(before).hasSizeGreaterThan(5);

        sandbox.start();
        awaitReady();

        assertThat(running()).isEqualTo(before);
        assertThat(driver().getMetadata().getLabels()).containsEntry("sro.dev/special-resource", "kmod");
        assertThat(driver().getMetadata().getAnnotations())
                .containsEntry("sro.dev/adopted", "true")
                .containsEntry("sro.dev/state", "1000-driver");
    }

    @Test
    void whatNoNodeNeedsIsTakenAway() {
        sandbox.start();
        awaitReady();

        assertThat(names(Gvr.DAEMONSETS)).containsExactly(DRIVER);
    }

    @Test
    void afterwardsNothingIsWrittenAnyMore() {
        sandbox.start();
        awaitReady();
        sandbox.cluster().recording().start();
        sandbox.run(Duration.ofHours(1));
        assertThat(sandbox.cluster()
                        .recording()
                        .entries(e -> e.userAgent().equals("sro") && !e.verb().equals("watch")))
                .isEmpty();

        sandbox.kill();
        sandbox.cluster().recording().start();
        sandbox.start();
        sandbox.run(Duration.ofMinutes(5));
        assertThat(sandbox.cluster().recording().entries(e -> e.userAgent().equals("sro") && e.isWrite()))
                .isEmpty();
    }

    @Test
    void whatSomebodyChangesIsPutRightWithoutWhatSroAdds() {
        sandbox.start();
        awaitReady();

        sandbox.client()
                .apps()
                .deployments()
                .inNamespace("kmod")
                .withName("exporter")
                .scale(5);
        sandbox.run(Duration.ofMinutes(1));

        assertThat(sandbox.client()
                        .apps()
                        .deployments()
                        .inNamespace("kmod")
                        .withName("exporter")
                        .get()
                        .getSpec())
                .satisfies(spec -> assertThat(spec.getReplicas()).isEqualTo(2))
                .satisfies(spec -> assertThat(spec.getTemplate().getMetadata().getLabels())
                        .doesNotContainKey("sro.dev/special-resource"));
    }
}
