package dev.sro.testkit.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.testkit.server.Recording;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Node Feature Discovery knows of a device for which it writes no label, or not yet. */
class NodeFeatureScenarioTest {

    private static final String GPU = "feature.node.kubernetes.io/pci-0302_10de.present";
    private static final Duration LONG = Duration.ofMinutes(10);

    private final SroSandbox sandbox = SroSandbox.create(new KmodPlugin());

    @BeforeEach
    void served() {
        sandbox.kill();
        sandbox.serve("nfd.k8s-sigs.io", "v1alpha1", "NodeFeature", "nodefeatures", true);
        sandbox.nodes().create("one", NodeProfile.of(OsRelease.RHEL_9));
        sandbox.nodes().create("two", NodeProfile.of(OsRelease.RHEL_9));
        sandbox.run(Duration.ofMinutes(2));
        sandbox.start();
        sandbox.apply(KmodPlugin.RESOURCE.replace("example.com/device", GPU));
        sandbox.run(Duration.ofMinutes(1));
    }

    @AfterEach
    void close() {
        sandbox.close();
    }

    @Test
    void discoveryThatIsInstalledAfterTheOperatorIsNoticed() {
        try (SroSandbox late = SroSandbox.create(new KmodPlugin())) {
            late.nodes().create("one", NodeProfile.of(OsRelease.RHEL_9));
            late.apply(KmodPlugin.RESOURCE.replace("example.com/device", GPU));
            late.run(Duration.ofMinutes(2));
            late.cluster().recording().start();
            late.run(Duration.ofHours(1));
            assertThat(late.cluster()
                            .recording()
                            .entries(entry -> entry.userAgent().equals("sro")
                                    && !entry.verb().equals("watch")))
                    .as("requests while there is none")
                    .isEmpty();

            late.serve("nfd.k8s-sigs.io", "v1alpha1", "NodeFeature", "nodefeatures", true);
            late.client().resource(feature()).create();

            assertThat(late.runUntil(
                            LONG,
                            () -> late.isReady("kmod")
                                    && late.nodes()
                                            .get("one")
                                            .at("/metadata/labels")
                                            .has("sro.dev/pool-kmod")))
                    .isTrue();
        }
    }

    private GenericKubernetesResource feature() {
        return sandbox.client().getKubernetesSerialization().unmarshal("""
            apiVersion: nfd.k8s-sigs.io/v1alpha1
            kind: NodeFeature
            metadata:
              name: one
              namespace: default
              labels: {nfd.node.kubernetes.io/node-name: one}
            spec:
              features:
                instances:
                  pci.device: {elements: [{attributes: {class: "0302", vendor: 10de, device: "2330"}}]}
            """, GenericKubernetesResource.class);
    }

    private boolean isServed(String node) {
        return sandbox.nodes().get(node).at("/metadata/labels").has("sro.dev/pool-kmod");
    }

    @Test
    void theNodeIsServedByWhatTheObjectSaysAndLetGoWithIt() {
        assertThat(isServed("one")).isFalse();
        sandbox.client().resource(feature()).create();
        assertThat(sandbox.runUntil(LONG, () -> sandbox.isReady("kmod") && isServed("one")))
                .isTrue();
        assertThat(isServed("two")).isFalse();

        sandbox.client().resource(feature()).delete();
        sandbox.run(LONG);
        assertThat(isServed("one")).isFalse();
    }

    @Test
    void labelsThatGoWhileTheObjectStaysMeanNothingAtAll() {
        sandbox.client().resource(feature()).create();
        sandbox.nodes().label("one", GPU, "true");
        assertThat(sandbox.runUntil(LONG, () -> sandbox.isReady("kmod") && isServed("one")))
                .isTrue();
        sandbox.run(Duration.ofMinutes(1));
        sandbox.cluster().recording().start();
        sandbox.nodes().label("one", GPU, null);
        sandbox.run(Duration.ofHours(1));
        assertThat(sandbox.cluster()
                        .recording()
                        .entries(entry -> entry.userAgent().equals("sro")))
                .noneMatch(Recording.Entry::isWrite);
        assertThat(isServed("one")).isTrue();
    }
}
