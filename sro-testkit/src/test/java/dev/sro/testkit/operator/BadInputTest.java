package dev.sro.testkit.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.api.resource.SpecialResourceStatus;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What users and clusters do wrong: each gets a condition that names the object, the field and the fix. */
final class BadInputTest {

    private static final Duration LONG = Duration.ofMinutes(10);
    private static final NodeProfile DEVICE = NodeProfile.of(OsRelease.RHEL_9).withLabel("example.com/device", "true");

    private final SroSandbox sandbox = SroSandbox.create(new KmodPlugin());

    @AfterEach
    void close() {
        sandbox.close();
    }

    private SpecialResourceStatus status(String name) {
        return Objects.requireNonNull(sandbox.get(name).orElseThrow().getStatus());
    }

    private Condition condition(String name, String type) {
        return status(name).getConditions().stream()
                .filter(c -> c.getType().equals(type))
                .findFirst()
                .orElseThrow();
    }

    private void isDegraded(String name, String reason, String... words) {
        Condition degraded = condition(name, "Degraded");
        assertThat(degraded.getStatus()).isEqualTo("True");
        assertThat(degraded.getReason()).isEqualTo(reason);
        assertThat(degraded.getMessage()).contains(words);
        assertThat(condition(name, "Ready").getStatus()).isEqualTo("False");
    }

    @Test
    void namesThePluginsThatThereAre() {
        sandbox.nodes().create("n", DEVICE);
        sandbox.apply(KmodPlugin.RESOURCE.replace("plugin: {name: kmod}", "plugin: {name: kmodd}"));
        sandbox.run(Duration.ofMinutes(1));

        isDegraded("kmod", "UnknownPlugin", "spec.plugin.name", "kmodd", "kmod");
        assertThat(sandbox.client().namespaces().withName("kmod").get()).isNull();
    }

    @Test
    void refusesASelectorThatNoLabelCanMatch() {
        sandbox.nodes().create("n", DEVICE);
        sandbox.apply(KmodPlugin.RESOURCE.replace("example.com/device: \"true\"", "\"no key\": \"true\""));
        sandbox.run(Duration.ofMinutes(1));

        isDegraded("kmod", "InvalidNodeSelector", "spec.nodeSelector", "no key");
    }

    @Test
    void isIdleWhenNoNodeMatches() {
        sandbox.apply(KmodPlugin.RESOURCE);
        sandbox.run(Duration.ofMinutes(1));

        assertThat(condition("kmod", "Ready").getReason()).isEqualTo("NoMatchingNodes");
        assertThat(condition("kmod", "Degraded").getStatus()).isEqualTo("False");
    }

    @Test
    void theOlderOfTwoKeepsANode() {
        sandbox.nodes().create("n", DEVICE);
        sandbox.apply(KmodPlugin.RESOURCE);
        assertThat(sandbox.runUntil(LONG, () -> sandbox.isReady("kmod"))).isTrue();
        sandbox.run(Duration.ofSeconds(5));
        sandbox.apply(KmodPlugin.RESOURCE
                .replace("{name: kmod}\nspec", "{name: rival}\nspec")
                .replace("namespace: kmod", "namespace: rival"));
        sandbox.run(Duration.ofMinutes(2));

        isDegraded("rival", "NodeTaken", "node n", "kmod", "spec.nodeSelector");
        assertThat(sandbox.isReady("kmod")).isTrue();
        assertThat(sandbox.client()
                        .apps()
                        .daemonSets()
                        .inNamespace("rival")
                        .list()
                        .getItems())
                .isEmpty();
    }

    @Test
    void aNodeThatTheOlderOneGivesUpIsServedAtOnce() {
        sandbox.nodes().create("n", DEVICE);
        sandbox.apply(KmodPlugin.RESOURCE);
        assertThat(sandbox.runUntil(LONG, () -> sandbox.isReady("kmod"))).isTrue();
        sandbox.run(Duration.ofSeconds(5));
        String rival = KmodPlugin.RESOURCE
                .replace("{name: kmod}\nspec", "{name: rival}\nspec")
                .replace("namespace: kmod", "namespace: rival");
        sandbox.apply(rival);
        sandbox.run(Duration.ofMinutes(2));
        isDegraded("rival", "NodeTaken", "node n");

        sandbox.apply(KmodPlugin.RESOURCE.replace("{example.com/device: \"true\"}", "{example.com/device: none}"));
        assertThat(sandbox.runUntil(LONG, () -> sandbox.isReady("rival"))).isTrue();
    }

    @Test
    void saysWhichVerbIsForbidden() {
        sandbox.nodes().create("n", DEVICE);
        sandbox.cluster().faults().rule().verbs("patch").resources("jobs.batch").forbidden();
        sandbox.apply(KmodPlugin.RESOURCE);
        sandbox.run(Duration.ofMinutes(1));

        isDegraded("kmod", "Forbidden", "Job kmod/kmod-build");
        sandbox.cluster().faults().clear();
        assertThat(sandbox.runUntil(LONG, () -> sandbox.isReady("kmod"))).isTrue();
    }

    @Test
    void refusesANameThatBecomesTooLong() {
        String name = "a-name-that-is-so-long-by-itself-that-no-daemonset-or-job-of-it-can-exist";
        sandbox.nodes().create("n", DEVICE);
        sandbox.apply(KmodPlugin.RESOURCE.replace("{name: kmod}\nspec", "{name: " + name + "}\nspec"));
        sandbox.run(Duration.ofMinutes(1));

        isDegraded(name, "NameTooLong", "63", name);
    }

    @Test
    void leavesObjectsOfOthersAlone() {
        sandbox.nodes().create("n", DEVICE);
        sandbox.client()
                .resource("apiVersion: v1\nkind: Namespace\nmetadata: {name: kmod}\n")
                .create();
        sandbox.client()
                .resource("apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: kmod-driver, namespace: kmod}\n")
                .create();
        sandbox.apply(KmodPlugin.RESOURCE);
        sandbox.run(Duration.ofMinutes(3));

        isDegraded("kmod", "ObjectNotOwned", "ServiceAccount kmod/kmod-driver", "another name");
    }

    @Test
    void anApiServerThatIsAwayAtTheStartIsReportedAtOnce() {
        sandbox.kill();
        sandbox.cluster().faults().rule().when(r -> r.userAgent().equals("sro")).unavailable();

        assertThatThrownBy(sandbox::start).isInstanceOf(KubernetesClientException.class);
        sandbox.cluster().faults().clear();
        sandbox.start();
        sandbox.nodes().create("n", DEVICE);
        sandbox.apply(KmodPlugin.RESOURCE);
        assertThat(sandbox.runUntil(LONG, () -> sandbox.isReady("kmod"))).isTrue();
    }

    @Test
    void goesOnAfterTheApiServerWasAwayInTheMiddle() {
        sandbox.nodes().create("n", DEVICE);
        sandbox.cluster()
                .faults()
                .rule()
                .verbs("get", "patch", "delete")
                .when(r -> r.userAgent().equals("sro"))
                .after(5)
                .times(10)
                .connectionReset();
        sandbox.apply(KmodPlugin.RESOURCE);

        assertThat(sandbox.runUntil(LONG, () -> sandbox.isReady("kmod"))).isTrue();
    }
}
