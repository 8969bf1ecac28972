package dev.sro.testkit.controlplane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What tests on a real control plane build upon. */
@RealControlPlane
final class ControlPlaneSmokeTest {
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private static final String DAEMON_SET = """
            apiVersion: apps/v1
            kind: DaemonSet
            metadata: {name: driver}
            spec:
              selector: {matchLabels: {app: driver}}
              template:
                metadata: {labels: {app: driver, more: "%s"}}
                spec:
                  nodeSelector: {testkit.sro.dev/test: "%s"}
                  containers: [{name: driver, image: "registry.example/driver:1"}]
            """;

    private static final String JOB = """
            apiVersion: batch/v1
            kind: Job
            metadata: {name: build}
            spec:
              backoffLimit: 0
              template:
                metadata: {labels: {%s}}
                spec:
                  restartPolicy: Never
                  nodeSelector: {testkit.sro.dev/test: "%s"}
                  containers: [{name: build, image: "registry.example/builder:1"}]
            """;

    @Test
    void keepsWhatIsWritten(KubernetesClient client, Namespace namespace) {
        ConfigMap made = client.resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName("a")
                        .endMetadata()
                        .addToData("k", "v")
                        .build())
                .create();
        assertThat(made.getMetadata().getNamespace())
                .isEqualTo(namespace.getMetadata().getName());

        client.configMaps().withName("a").edit(map -> {
            map.getData().put("k", "w");
            return map;
        });
        assertThat(client.configMaps().withName("a").get().getData()).containsEntry("k", "w");

        client.configMaps().withName("a").delete();
        assertThat(client.configMaps().withName("a").get()).isNull();
    }

    @Test
    @RealControlPlane(needs = {Feature.CONTROLLERS, Feature.SCHEDULER, Feature.NODES})
    void aDaemonSetGetsReadyOnNodesWithoutMachines(RealCluster cluster) {
        List<String> nodes = cluster.nodes().create(5, NodeProfile.of(OsRelease.UBUNTU_22));
        apply(cluster, DAEMON_SET.formatted("", cluster.namespace()), DaemonSet.class);

        cluster.await("all pods are ready", LIMIT, () -> {
            DaemonSet live =
                    cluster.client().apps().daemonSets().withName("driver").get();
            return Integer.valueOf(5).equals(live.getStatus().getNumberReady());
        });
        assertThat(cluster.client().pods().list().getItems())
                .extracting(pod -> pod.getSpec().getNodeName())
                .containsExactlyInAnyOrderElementsOf(nodes);
    }

    @Test
    @RealControlPlane(needs = Feature.NODES)
    void nodesSayWhatTheirProfileSays(RealCluster cluster) {
        NodeProfile profile = NodeProfile.of(OsRelease.RHEL_9).withPci("0302", "10de", "2330");
        String name = cluster.nodes().create(1, profile).get(0);

        Node node = cluster.client().nodes().withName(name).get();
        assertThat(node.getMetadata().getLabels())
                .containsAllEntriesOf(profile.nfdLabels())
                .containsEntry("feature.node.kubernetes.io/pci-0302_10de.present", "true")
                .containsAllEntriesOf(cluster.nodes().selector());
        assertThat(node.getStatus().getNodeInfo().getKernelVersion()).isEqualTo(profile.kernel());
        assertThat(node.getStatus().getNodeInfo().getOsImage())
                .isEqualTo(profile.os().osImage());
        assertThat(node.getStatus().getAllocatable()).containsEntry("cpu", new Quantity("8"));

        cluster.nodes().reboot(name, profile.withKernel("5.14.0-503.11.1.el9_5.x86_64"));
        Node rebooted = cluster.client().nodes().withName(name).get();
        assertThat(rebooted.getStatus().getNodeInfo().getKernelVersion()).isEqualTo("5.14.0-503.11.1.el9_5.x86_64");
        assertThat(rebooted.getMetadata().getLabels())
                .containsEntry("feature.node.kubernetes.io/kernel-version.full", "5.14.0-503.11.1.el9_5.x86_64");
    }

    @Test
    @RealControlPlane(needs = {Feature.CONTROLLERS, Feature.SCHEDULER, Feature.NODES})
    void aJobCompletes(RealCluster cluster) {
        cluster.nodes().create(1, NodeProfile.of(OsRelease.UBUNTU_22));
        apply(cluster, JOB.formatted("", cluster.namespace()), Job.class);

        cluster.await("the job is complete", LIMIT, () -> hasCondition(cluster, "Complete"));
    }

    @Test
    @RealControlPlane(needs = {Feature.CONTROLLERS, Feature.SCHEDULER, Feature.NODES})
    void aJobFailsIfItIsTold(RealCluster cluster) {
        cluster.nodes().create(1, NodeProfile.of(OsRelease.UBUNTU_22));
        apply(cluster, JOB.formatted(RealNodes.OUTCOME + ": failed", cluster.namespace()), Job.class);

        cluster.await("the job has failed", LIMIT, () -> hasCondition(cluster, "Failed"));
    }

    @Test
    @RealControlPlane(needs = {Feature.CONTROLLERS, Feature.SCHEDULER, Feature.NODES})
    void podsFailInTheWayTheyAreTold(RealCluster cluster) {
        cluster.nodes().create(1, NodeProfile.of(OsRelease.UBUNTU_22));
        Map<String, String> reasons =
                Map.of("failed", "CrashLoopBackOff", "pending", "ImagePullBackOff", "unready", "");
        reasons.keySet().forEach(outcome -> apply(cluster, """
                apiVersion: v1
                kind: Pod
                metadata: {name: %1$s, labels: {testkit.sro.dev/outcome: %1$s}}
                spec:
                  nodeSelector: {testkit.sro.dev/test: "%2$s"}
                  containers: [{name: c, image: "registry.example/c:1"}]
                """.formatted(outcome, cluster.namespace()), Pod.class));

        reasons.forEach((outcome, reason) -> cluster.await(outcome + " is " + reason, LIMIT, () -> {
            Pod pod = cluster.client().pods().withName(outcome).get();
            return pod.getStatus().getContainerStatuses().stream()
                    .anyMatch(c -> !c.getReady()
                            && (reason.isEmpty()
                                    ? c.getState().getRunning() != null
                                    : c.getState().getWaiting() != null
                                            && reason.equals(
                                                    c.getState().getWaiting().getReason())));
        }));
    }

    @Test
    void aServiceAccountMayDoWhatItsRoleSays(RealCluster cluster) {
        KubernetesClient admin = cluster.client();
        apply(cluster, """
                apiVersion: v1
                kind: ServiceAccount
                metadata: {name: reader}
                """, ServiceAccount.class);
        apply(cluster, """
                apiVersion: rbac.authorization.k8s.io/v1
                kind: Role
                metadata: {name: reader}
                rules: [{apiGroups: [""], resources: [configmaps], verbs: [list]}]
                """, Role.class);
        apply(cluster, """
                apiVersion: rbac.authorization.k8s.io/v1
                kind: RoleBinding
                metadata: {name: reader}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: reader}
                subjects: [{kind: ServiceAccount, name: reader, namespace: %s}]
                """.formatted(cluster.namespace()), RoleBinding.class);
        String token = admin.serviceAccounts()
                .withName("reader")
                .tokenRequest(new TokenRequestBuilder()
                        .withNewSpec()
                        .withExpirationSeconds(600L)
                        .endSpec()
                        .build())
                .getStatus()
                .getToken();
        Config config = new ConfigBuilder(cluster.config())
                .withOauthToken(token)
                .withNamespace(cluster.namespace())
                .build();

        try (KubernetesClient reader =
                new KubernetesClientBuilder().withConfig(config).build()) {
            cluster.await(
                    "the role is known", LIMIT, () -> reader.configMaps().list().getItems() != null);
            assertThatThrownBy(() -> reader.secrets().list())
                    .isInstanceOfSatisfying(
                            KubernetesClientException.class,
                            e -> assertThat(e.getCode()).isEqualTo(403));
        }
    }

    @Test
    @RealControlPlane(needs = Feature.RESTART)
    void dataOutliveARestartOfTheApiServer(RealCluster cluster) {
        cluster.client()
                .resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName("a")
                        .endMetadata()
                        .build())
                .create();
        String before =
                cluster.client().configMaps().withName("a").get().getMetadata().getUid();

        cluster.controlPlane().restartApiServer();

        assertThat(cluster.client()
                        .configMaps()
                        .withName("a")
                        .get()
                        .getMetadata()
                        .getUid())
                .isEqualTo(before);
    }

    @Test
    @RealControlPlane(needs = Feature.RESTART)
    void aClusterOfAKubeconfigIsUsedLikeOurs(RealCluster ours) {
        Map<String, String> environment = Map.of(
                ClusterFinder.KUBECONFIG, ours.controlPlane().kubeconfig().toString());
        ClusterFinder finder = new ClusterFinder(environment, "Linux", "amd64", Path.of("/nowhere"));
        try (SharedCluster theirs = SharedCluster.of(finder);
                RealCluster cluster = new RealCluster(theirs, "kubeconfig")) {
            cluster.client()
                    .resource(new ConfigMapBuilder()
                            .withNewMetadata()
                            .withName("a")
                            .endMetadata()
                            .build())
                    .create();

            assertThat(ours.client()
                            .configMaps()
                            .inNamespace(cluster.namespace())
                            .withName("a")
                            .get())
                    .isNotNull();
            assertThatThrownBy(cluster::controlPlane).hasMessageContaining("not ours to restart");
            assertThatThrownBy(() -> cluster.nodes().create(1, NodeProfile.of(OsRelease.UBUNTU_22)))
                    .hasMessageContaining("NODES");
        }
    }

    private static <T extends HasMetadata> void apply(RealCluster cluster, String yaml, Class<T> type) {
        cluster.client()
                .resource(cluster.client().getKubernetesSerialization().unmarshal(yaml, type))
                .create();
    }

    private static boolean hasCondition(RealCluster cluster, String type) {
        Job live = cluster.client().batch().v1().jobs().withName("build").get();
        return live.getStatus().getConditions().stream()
                .anyMatch(c -> c.getType().equals(type) && c.getStatus().equals("True"));
    }
}
