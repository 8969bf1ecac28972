package dev.sro.runtime.imports;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.das.AllocationClaim;
import dev.sro.core.das.ClaimState;
import dev.sro.core.das.DasNames;
import dev.sro.core.yaml.Yaml;
import dev.sro.runtime.Cli;
import dev.sro.runtime.HttpSandbox;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster as DAS leaves it, over HTTP. */
class ImportDasCommandTest {
    private static final String AGENT = "sro-agent";

    @TempDir
    private Path folder;

    private HttpSandbox on;
    private KubernetesClient client;

    @BeforeEach
    void start() throws IOException {
        on = new HttpSandbox(folder);
        client = on.sandbox.client();
        for (String name : List.of(DasNames.NAMESPACE, AGENT)) {
            client.resource(new NamespaceBuilder()
                            .withNewMetadata()
                            .withName(name)
                            .endMetadata()
                            .build())
                    .create();
        }
    }

    @AfterEach
    void close() {
        on.close();
    }

    private void definitions() {
        Yaml.documents("out", Cli.run("crd", "--das").out())
                .forEach(definition -> client.resource(client.getKubernetesSerialization()
                                .convertValue(definition, GenericKubernetesResource.class))
                        .create());
        on.sandbox.cluster().settle();
    }

    private Cli run(String... more) {
        String[] all = new String[more.length + 4];
        System.arraycopy(new String[] {"slices", "import-das", "--kubeconfig", on.kubeconfig}, 0, all, 0, 4);
        System.arraycopy(more, 0, all, 4, more.length);
        return Cli.run(all);
    }

    private Pod pod(String name, String node) {
        PodBuilder pod = new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace("default")
                .endMetadata()
                .withNewSpec()
                .withSchedulerName("das-scheduler")
                .addNewContainer()
                .withName("main")
                .withImage("registry.example.com/a:1")
                .withNewResources()
                .addToLimits("mig.das.com/1g.5gb", new Quantity("1"))
                .endResources()
                .endContainer()
                .endSpec();
        if (!node.isEmpty()) {
            pod.editSpec().withNodeName(node).endSpec();
        }
        return client.resource(pod.build()).create();
    }

    private void claim(String name, Pod pod, String node, int start, ClaimState state) {
        claim(name, pod.getMetadata().getName(), pod.getMetadata().getUid(), node, start, state);
    }

    private void claim(String name, String pod, String uid, String node, int start, ClaimState state) {
        GenericKubernetesResource object = client.getKubernetesSerialization()
                .unmarshal("""
                    apiVersion: inference.redhat.com/v1alpha1
                    kind: AllocationClaim
                    metadata: {name: "%s", namespace: das-operator}
                    spec:
                      profile: 1g.5gb
                      podRef: {kind: Pod, namespace: default, name: "%s", uid: "%s"}
                      migPlacement: {size: 1, start: %d}
                      gpuUUID: GPU-%s
                      nodename: %s
                    """.formatted(name, pod, uid, start, node, node), GenericKubernetesResource.class);
        GenericKubernetesResource made = client.resource(object).create();
        made.setAdditionalProperty(
                "status", new LinkedHashMap<>(AllocationClaim.status(state, "2026-11-26T10:00:00Z")));
        client.resource(made).updateStatus();
    }

    private void inventory(String namespace, String node) {
        GenericKubernetesResource object = client.getKubernetesSerialization()
                .unmarshal("""
                    apiVersion: inference.redhat.com/v1alpha1
                    kind: NodeAccelerator
                    metadata: {name: "%s", namespace: "%s"}
                    spec: {acceleratorType: nvidia-mig}
                    """.formatted(node, namespace), GenericKubernetesResource.class);
        if (namespace.equals(AGENT)) {
            object.getMetadata().setLabels(Map.of("app.kubernetes.io/managed-by", AGENT));
        }
        client.resource(object).create();
    }

    private List<GenericKubernetesResource> objects(String kind, String plural) {
        return client.genericKubernetesResources(new ResourceDefinitionContext.Builder()
                        .withGroup(DasNames.GROUP)
                        .withVersion(DasNames.VERSION)
                        .withKind(kind)
                        .withPlural(plural)
                        .withNamespaced(true)
                        .build())
                .inAnyNamespace()
                .list()
                .getItems();
    }

    private Map<String, GenericKubernetesResource> claims() {
        Map<String, GenericKubernetesResource> claims = new LinkedHashMap<>();
        objects(DasNames.CLAIM, DasNames.CLAIMS)
                .forEach(claim -> claims.put(claim.getMetadata().getName(), claim));
        return claims;
    }

    private static GenericKubernetesResource named(Map<String, GenericKubernetesResource> claims, String name) {
        return Objects.requireNonNull(claims.get(name), name);
    }

    private void world() {
        definitions();
        inventory(DasNames.NAMESPACE, "n1");
        inventory(DasNames.NAMESPACE, "n2");
        inventory(AGENT, "n1");
        claim("runs", pod("runs", "n1"), "n1", 0, ClaimState.IN_USE);
        claim("comes", pod("comes", "n1"), "n1", 1, ClaimState.CREATED);
        Pod waits = pod("waits", "");
        claim("staged-1", waits, "n1", 2, ClaimState.STAGED);
        claim("staged-2", waits, "n2", 0, ClaimState.STAGED);
        claim("leaked", "gone", "uid-gone", "n1", 3, ClaimState.STAGED);
        claim("left", "ended", "uid-ended", "n2", 1, ClaimState.IN_USE);
        claim("twice", pod("twice", "n1"), "n1", 0, ClaimState.IN_USE);
    }

    @Test
    void programsHaveItAsATree() {
        definitions();

        Cli cli = run("-o", "yaml");

        assertThat(cli.out()).contains("written: false", "claims: []", "notMapped: []");
        assertThat(cli.err()).isEmpty();
    }

    @Test
    void aDryRunSaysWhatBecomesOfEachClaimAndWritesNothing() {
        world();

        Cli run = run();

        assertThat(run.out().lines())
                .contains(
                        "take over  das-operator/runs: 1g.5gb at 0 of GPU-n1 on n1; pod default/runs keeps it",
                        "promise    das-operator/comes: 1g.5gb at 1 of GPU-n1 on n1; pod default/comes is on its node"
                                + " and gets it there",
                        "delete     das-operator/staged-1: 1g.5gb at 2 of GPU-n1 on n1; pod default/waits is on no"
                                + " node",
                        "delete     das-operator/leaked: 1g.5gb at 3 of GPU-n1 on n1; pod default/gone has ended, and"
                                + " nothing was made for it",
                        "take over  das-operator/left: 1g.5gb at 1 of GPU-n2 on n2; pod default/ended has ended: the"
                                + " agent destroys the slice",
                        "delete     NodeAccelerator das-operator/n1: the agent has one of its own",
                        "nothing was written; --apply does it");
        assertThat(run.err())
                .contains(
                        "not mapped: AllocationClaim das-operator/twice: 1g.5gb at 0 of GPU-n1 is that of"
                                + " das-operator/runs",
                        "note: node n2 has no agent",
                        "note: pod default/waits waits for das-scheduler");
        assertThat(run.code()).isEqualTo(1);
        assertThat(claims())
                .hasSize(7)
                .allSatisfy((name, claim) ->
                        assertThat(claim.getMetadata().getFinalizers()).isEmpty());
    }

    @Test
    void applyingTakesOverAndTouchesNoPod() {
        world();
        List<String> before = client.pods().inNamespace("default").list().getItems().stream()
                .map(pod -> pod.getMetadata().getUid() + pod.getMetadata().getResourceVersion())
                .toList();

        Cli run = run("--apply");

        assertThat(run.out()).endsWith("written\n");
        Map<String, GenericKubernetesResource> claims = claims();
        assertThat(claims).containsOnlyKeys("runs", "comes", "left", "twice");
        for (String name : List.of("runs", "left")) {
            assertThat(named(claims, name).getMetadata().getFinalizers()).containsExactly(DasNames.TAKEN_OVER);
        }
        assertThat(named(claims, "runs").getMetadata().getLabels()).containsEntry(DasNames.NODE_LABEL, "n1");
        assertThat(named(claims, "comes").getMetadata().getLabels()).containsEntry(DasNames.NODE_LABEL, "n1");
        assertThat(named(claims, "comes").getMetadata().getFinalizers()).isEmpty();
        assertThat(AllocationClaim.of(named(claims, "runs")).state()).isEqualTo(ClaimState.IN_USE);
        assertThat(objects(DasNames.NODE, DasNames.NODES))
                .extracting(node -> node.getMetadata().getNamespace() + "/"
                        + node.getMetadata().getName())
                .containsExactlyInAnyOrder("das-operator/n2", "sro-agent/n1");
        assertThat(client.pods().inNamespace("default").list().getItems().stream()
                        .map(pod ->
                                pod.getMetadata().getUid() + pod.getMetadata().getResourceVersion())
                        .toList())
                .isEqualTo(before);

        assertThat(run("--apply").out())
                .as("again is the same")
                .contains("done       das-operator/runs", "done       das-operator/left");
    }

    @Test
    void whileDasRunsNothingIsWrittenAndWhatEndsItIsSaid() {
        definitions();
        claim("runs", pod("runs", "n1"), "n1", 0, ClaimState.IN_USE);
        client.resource(new DeploymentBuilder()
                        .withNewMetadata()
                        .withName("das-scheduler")
                        .withNamespace(DasNames.NAMESPACE)
                        .endMetadata()
                        .withNewSpec()
                        .withReplicas(2)
                        .withNewSelector()
                        .addToMatchLabels("app", "das-scheduler")
                        .endSelector()
                        .withNewTemplate()
                        .withNewMetadata()
                        .addToLabels("app", "das-scheduler")
                        .endMetadata()
                        .withNewSpec()
                        .addNewContainer()
                        .withName("main")
                        .withImage("registry.example.com/das:1")
                        .endContainer()
                        .endSpec()
                        .endTemplate()
                        .endSpec()
                        .build())
                .create();

        Cli run = run("--apply");

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out()).contains("nothing was written: DAS still runs");
        assertThat(run.err()).contains("first: kubectl -n das-operator scale deployment das-scheduler --replicas 0");
        assertThat(named(claims(), "runs").getMetadata().getFinalizers()).isEmpty();
    }

    @Test
    void aClusterWithoutDasIsSaidSo() {
        Cli run = run();

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("DAS is not installed there");
    }
}
