package dev.sro.plugins.simplekmod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.resource.SpecialResource;
import dev.sro.api.resource.SpecialResourceStatus;
import dev.sro.testkit.controlplane.Feature;
import dev.sro.testkit.controlplane.RealCluster;
import dev.sro.testkit.controlplane.RealControlPlane;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The main job on a real API server with real controllers, from a special resource to Ready and back to nothing. */
@RealControlPlane(needs = {Feature.CONTROLLERS, Feature.SCHEDULER, Feature.NODES})
class SimpleKmodClusterTest {
    private static final Duration LIMIT = Duration.ofMinutes(3);

    private static final String RESOURCE = """
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: %1$s}
            spec:
              namespace: %1$s
              plugin: {name: simple-kmod}
              nodeSelector: {testkit.sro.dev/test: %2$s}
              driverContainer:
                source: {git: {ref: master, uri: "https://github.com/openshift-psap/kvc-simple-kmod.git"}}
            """;

    @Test
    void twoKernelsGetReadyAndNothingIsLeftBehind(RealCluster cluster) {
        String name = nameIn(cluster);
        cluster.installSpecialResources();
        cluster.nodes().create(2, NodeProfile.of(OsRelease.UBUNTU_22));
        cluster.nodes().create(1, NodeProfile.of(OsRelease.RHEL_9));
        try (RunningOperator operator = new RunningOperator(cluster.config())) {
            apply(cluster, name);
            cluster.await("the special resource is ready", LIMIT, () -> isReady(cluster, name));

            assertThat(operands(cluster, name)).hasSize(4);
            assertThat(cluster.client()
                            .batch()
                            .v1()
                            .jobs()
                            .inNamespace(name)
                            .list()
                            .getItems())
                    .as("a build per kernel")
                    .hasSize(2)
                    .allMatch(job -> Integer.valueOf(1).equals(job.getStatus().getSucceeded()));
            assertThat(cluster.client()
                            .nodes()
                            .withLabels(cluster.nodes().selector())
                            .list()
                            .getItems())
                    .hasSize(3)
                    .allSatisfy(node -> assertThat(node.getMetadata().getLabels())
                            .containsEntry("specialresource.openshift.io/state-" + name + "-2000", "Ready"));

            assertThat(operator.writes())
                    .filteredOn(write -> write.contains("/daemonsets/") || write.contains("/jobs/"))
                    .as("each operand is written once")
                    .doesNotHaveDuplicates()
                    .hasSize(6);

            remove(cluster, name);
        }
        assertThat(cluster.client().namespaces().withName(name).get()).isNull();
        assertThat(cluster.client()
                        .nodes()
                        .withLabels(cluster.nodes().selector())
                        .list()
                        .getItems())
                .flatExtracting(node -> node.getMetadata().getLabels().keySet())
                .noneMatch(label -> label.toString().contains(name));
    }

    @Test
    void aRestartedOperatorWritesOnlyWhatIsAmiss(RealCluster cluster) {
        String name = nameIn(cluster);
        cluster.installSpecialResources();
        cluster.nodes().create(2, NodeProfile.of(OsRelease.UBUNTU_22));
        try (RunningOperator first = new RunningOperator(cluster.config())) {
            apply(cluster, name);
            cluster.await("the special resource is ready", LIMIT, () -> isReady(cluster, name));
            assertThat(first.writes()).isNotEmpty();
        }
        // Something that rolls no pods: the nodes stay as they are.
        DaemonSet changed = validation(cluster, name);
        IntOrString wanted = maxUnavailable(changed);
        cluster.client().resource(changed).edit(live -> {
            live.getSpec().getUpdateStrategy().getRollingUpdate().setMaxUnavailable(new IntOrString(7));
            return live;
        });

        try (RunningOperator second = new RunningOperator(cluster.config())) {
            cluster.await(
                    "the field is what it was",
                    LIMIT,
                    () -> maxUnavailable(validation(cluster, name)).equals(wanted));
            cluster.await("the special resource is ready again", LIMIT, () -> isReady(cluster, name));

            assertThat(second.writes())
                    .filteredOn(write -> !write.endsWith("/status"))
                    .containsExactly("PATCH /apis/apps/v1/namespaces/" + name + "/daemonsets/"
                            + changed.getMetadata().getName());
            remove(cluster, name);
        }
    }

    private static String nameIn(RealCluster cluster) {
        String namespace = cluster.namespace();
        return "kmod-" + namespace.substring(namespace.length() - 8);
    }

    private static void apply(RealCluster cluster, String name) {
        cluster.client()
                .resource(cluster.client()
                        .getKubernetesSerialization()
                        .unmarshal(RESOURCE.formatted(name, cluster.namespace()), SpecialResource.class))
                .serverSideApply();
    }

    private static void remove(RealCluster cluster, String name) {
        cluster.client().resources(SpecialResource.class).withName(name).delete();
        cluster.await(
                "the special resource is gone",
                LIMIT,
                () -> cluster.client()
                                .resources(SpecialResource.class)
                                .withName(name)
                                .get()
                        == null);
        cluster.await(
                "its namespace is gone",
                LIMIT,
                () -> cluster.client().namespaces().withName(name).get() == null);
    }

    private static boolean isReady(RealCluster cluster, String name) {
        SpecialResource live =
                cluster.client().resources(SpecialResource.class).withName(name).get();
        SpecialResourceStatus status = live.getStatus();
        return status != null
                && live.getMetadata().getGeneration().equals(status.getObservedGeneration())
                && status.getConditions().stream()
                        .anyMatch(c ->
                                c.getType().equals("Ready") && c.getStatus().equals("True"));
    }

    private static List<DaemonSet> operands(RealCluster cluster, String name) {
        return cluster.client().apps().daemonSets().inNamespace(name).list().getItems();
    }

    private static DaemonSet validation(RealCluster cluster, String name) {
        return operands(cluster, name).stream()
                .filter(daemonSet -> daemonSet.getMetadata().getName().startsWith(name + "-validation-"))
                .findFirst()
                .orElseThrow();
    }

    private static IntOrString maxUnavailable(DaemonSet daemonSet) {
        return daemonSet.getSpec().getUpdateStrategy().getRollingUpdate().getMaxUnavailable();
    }
}
