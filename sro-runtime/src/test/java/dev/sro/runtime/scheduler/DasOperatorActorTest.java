package dev.sro.runtime.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.das.DasNames;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.yaml.Yaml;
import dev.sro.runtime.Cli;
import dev.sro.testkit.EmbeddedCluster;
import dev.sro.testkit.server.Recording;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is made of a DASOperator, on the embedded cluster. */
class DasOperatorActorTest {
    static final String AGENT = "sro-agent";

    static final String SET = """
        apiVersion: apps/v1
        kind: DaemonSet
        metadata: {name: sro-agent, namespace: sro-agent}
        spec:
          selector: {matchLabels: {app: sro-agent}}
          template:
            metadata: {labels: {app: sro-agent}}
            spec:
              containers: [{name: agent, image: sro-agent}]
        """;

    static final String OPERATOR = """
        apiVersion: inference.redhat.com/v1alpha1
        kind: DASOperator
        metadata: {name: %s, namespace: das-operator}
        spec: {%s}
        """;

    private static final String CLAIM = """
        apiVersion: inference.redhat.com/v1alpha1
        kind: AllocationClaim
        metadata: {name: claim-0, namespace: das-operator}
        spec:
          profile: 1g.5gb
          podRef: {kind: Pod, namespace: default, name: vectoradd, uid: 4f8f}
          migPlacement: {size: 1, start: 3}
          gpuUUID: GPU-8d04
          nodename: gpu-node
        """;

    private static final String RESOURCE_CLAIM = """
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: by-claim, namespace: das-operator}
        spec: {devices: {requests: [{name: a, exactly: {deviceClassName: mig}}]}}
        status:
          allocation: {devices: {results: [{request: a, driver: slices.sro.dev, pool: gpu-node, device: gpu-0}]}}
        """;

    static final ResourceDefinitionContext OPERATORS = new ResourceDefinitionContext.Builder()
            .withGroup(DasNames.GROUP)
            .withVersion(DasNames.VERSION)
            .withKind("DASOperator")
            .withPlural("dasoperators")
            .withNamespaced(true)
            .build();

    private final EmbeddedCluster cluster = EmbeddedCluster.create();
    private final KubernetesClient client = cluster.client();
    private @Nullable DasOperatorActor actor;

    @BeforeEach
    void definitions() {
        Yaml.documents("out", Cli.run("crd", "--das").out())
                .forEach(definition -> client.resource(client.getKubernetesSerialization()
                                .convertValue(definition, GenericKubernetesResource.class))
                        .create());
        cluster.settle();
        for (String namespace : List.of(DasNames.NAMESPACE, AGENT, "special-resource-operator")) {
            client.resource(new NamespaceBuilder()
                            .withNewMetadata()
                            .withName(namespace)
                            .endMetadata()
                            .build())
                    .create();
        }
        for (String file : List.of("slices/serviceaccount.yaml", "slices/rbac.yaml", "slices-das-operator/rbac.yaml")) {
            install(Path.of("install", "kustomize").resolve(file));
        }
        String token = client.serviceAccounts()
                .inNamespace("special-resource-operator")
                .withName("sro-slices")
                .tokenRequest(new TokenRequestBuilder()
                        .withNewSpec()
                        .withExpirationSeconds(86_400L)
                        .endSpec()
                        .build())
                .getStatus()
                .getToken();
        DasOperatorActor made = new DasOperatorActor(
                cluster.newClient("das", token),
                new DasOperatorActor.Agents(AGENT, AGENT),
                () -> true,
                cluster.clock(),
                Runnable::run);
        actor = made;
        made.start();
        cluster.settle();
    }

    /** The rights that are installed, and no others. */
    private void install(Path file) {
        try (InputStream yaml = Files.newInputStream(file)) {
            client.load(yaml).items().forEach(object -> client.resource(object).serverSideApply());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private DasOperatorActor actor() {
        return Objects.requireNonNull(actor);
    }

    @AfterEach
    void close() {
        actor().close();
        cluster.close();
    }

    private void apply(String yaml) {
        client.resource(client.getKubernetesSerialization().unmarshal(yaml, GenericKubernetesResource.class))
                .serverSideApply();
        cluster.settle();
    }

    private void installed() {
        apply(SET);
        status(1, 1);
    }

    /** As the controller of DaemonSets counts. */
    private void status(int desired, int ready) {
        client.resource(set()).editStatus(set -> {
            set.getStatus().setObservedGeneration(set.getMetadata().getGeneration());
            set.getStatus().setDesiredNumberScheduled(desired);
            set.getStatus().setUpdatedNumberScheduled(desired);
            set.getStatus().setNumberReady(ready);
            return set;
        });
        cluster.settle();
    }

    private void ask(String spec) {
        apply(OPERATOR.formatted("cluster", spec));
    }

    private DaemonSet set() {
        return client.apps().daemonSets().inNamespace(AGENT).withName(AGENT).get();
    }

    private Map<String, String> selector() {
        return set().getSpec().getTemplate().getSpec().getNodeSelector();
    }

    private Map<String, Object> status(String name) {
        GenericKubernetesResource found = client.genericKubernetesResources(OPERATORS)
                .inNamespace(DasNames.NAMESPACE)
                .withName(name)
                .get();
        return ValueTrees.map(ValueTrees.copy(found.getAdditionalProperties()), "status");
    }

    private String condition(String type) {
        return ValueTrees.maps(status("cluster"), "conditions").stream()
                .filter(condition -> ValueTrees.text(condition, "type").equals(type))
                .map(condition -> ValueTrees.text(condition, "status") + " " + ValueTrees.text(condition, "reason")
                        + ": " + ValueTrees.text(condition, "message"))
                .findFirst()
                .orElse("none");
    }

    private String since(String type) {
        return ValueTrees.maps(status("cluster"), "conditions").stream()
                .filter(condition -> ValueTrees.text(condition, "type").equals(type))
                .map(condition -> ValueTrees.text(condition, "lastTransitionTime"))
                .findFirst()
                .orElse("none");
    }

    @Test
    void theNodeSelectorIsThatOfTheAgentsAndGoesWithIt() {
        installed();
        ask("managementState: Managed, nodeSelector: {gpu: a100, site: north}");
        assertThat(selector()).isEqualTo(Map.of("gpu", "a100", "site", "north"));
        assertThat(condition("Progressing")).startsWith("True Reconciling");

        status(1, 1);
        assertThat(condition("Available")).isEqualTo("True AllRequiredComponentsAvailable: 1 of 1 agents are ready");
        assertThat(condition("Progressing")).startsWith("False AllComponentsAtDesiredState");
        assertThat(condition("Degraded")).startsWith("False AllComponentsHealthy");
        assertThat(condition("SettingsServed")).startsWith("True AllServed");
        assertThat(String.valueOf(status("cluster").get("observedGeneration"))).isEqualTo("1");

        ask("managementState: Managed, nodeSelector: {gpu: h100}");
        assertThat(selector()).isEqualTo(Map.of("gpu", "h100"));
        assertThat(String.valueOf(status("cluster").get("observedGeneration"))).isEqualTo("2");

        ask("managementState: Managed");
        assertThat(selector()).isEmpty();
    }

    @Test
    void whatIsSoAlreadyIsNotWrittenAgain() {
        installed();
        ask("nodeSelector: {gpu: a100}");
        status(1, 1);
        cluster.recording().start();
        actor().request();
        cluster.settle();
        assertThat(cluster.recording().entries(Recording.Entry::isWrite)).isEmpty();

        String before = since("Degraded");
        cluster.advance(Duration.ofHours(1));
        ask("nodeSelector: {gpu: a100}, logLevel: Debug");
        assertThat(since("Degraded")).isEqualTo(before);
        assertThat(since("SettingsServed")).isNotEqualTo(before);
        assertThat(cluster.recording().entries(Recording.Entry::isWrite))
                .as("the DaemonSet is as it was")
                .noneMatch(entry -> entry.resource().startsWith("daemonsets"));
    }

    @Test
    void aSelectorThatAsksForNothingTouchesNothing() {
        installed();
        long generation = set().getMetadata().getGeneration();
        ask(
                "managementState: Managed, logLevel: TraceAll, operatorLogLevel: Debug, unsupportedConfigOverrides: {a: b}");
        assertThat(set().getMetadata().getGeneration()).isEqualTo(generation);
        assertThat(set().getMetadata().getManagedFields())
                .noneMatch(entry -> DasOperatorActor.MANAGER.equals(entry.getManager()));
        assertThat(condition("SettingsServed"))
                .startsWith("False FieldsNotServed: spec.logLevel TraceAll: ")
                .contains("set it to Normal; spec.operatorLogLevel Debug: ")
                .endsWith("spec.unsupportedConfigOverrides: nobody reads it; take it out");
        assertThat(condition("Degraded")).startsWith("False");
    }

    @Test
    void aSelectorThatSomebodyElseSetIsNotTakenOver() {
        apply(SET.replace("spec:\n      containers", "spec:\n      nodeSelector: {of: admin}\n      containers"));
        ask("nodeSelector: {gpu: a100}");
        assertThat(selector()).isEqualTo(Map.of("of", "admin"));
        assertThat(condition("Degraded"))
                .startsWith("True NodeSelectorConflict: spec.nodeSelector {gpu=a100}: somebody else set"
                        + " spec.template.spec.nodeSelector of DaemonSet sro-agent/sro-agent to {of=admin};");
    }

    @Test
    void unmanagedLeavesEverythingAlone() {
        installed();
        ask("nodeSelector: {gpu: a100}");
        ask("managementState: Unmanaged, nodeSelector: {gpu: h100}");
        assertThat(selector()).isEqualTo(Map.of("gpu", "a100"));
        assertThat(condition("Available")).isEqualTo("Unknown Unmanaged: spec.managementState is Unmanaged");
    }

    @Test
    void removedIsRefusedWhileSlicesAreInUseAndTakesAgentsOffTheNodesThen() {
        installed();
        apply(CLAIM);
        ask("managementState: Removed, nodeSelector: {gpu: a100}");
        assertThat(selector()).isEmpty();
        assertThat(condition("Degraded"))
                .startsWith("True SlicesInUse: spec.managementState Removed: 1 slices are promised or in use, the first"
                        + " by AllocationClaim das-operator/claim-0;");
        assertThat(condition("Available")).startsWith("True");

        client.genericKubernetesResources(ClaimWriter.CLAIMS)
                .inNamespace(DasNames.NAMESPACE)
                .withName("claim-0")
                .delete();
        client.resource(client.getKubernetesSerialization().unmarshal(RESOURCE_CLAIM, ResourceClaim.class))
                .create();
        client.resource(client.getKubernetesSerialization().unmarshal(RESOURCE_CLAIM, ResourceClaim.class))
                .updateStatus();
        actor().request();
        cluster.settle();
        assertThat(condition("Degraded"))
                .contains("1 slices are promised or in use, the first by ResourceClaim das-operator/by-claim;");
        assertThat(selector()).isEmpty();

        client.resources(ResourceClaim.class)
                .inNamespace(DasNames.NAMESPACE)
                .withName("by-claim")
                .delete();
        actor().request();
        cluster.settle();
        assertThat(selector()).containsEntry(DasOperatorActor.REMOVED, "true");
        assertThat(condition("Progressing")).startsWith("True Reconciling");
        status(0, 0);
        assertThat(condition("Available")).startsWith("False Removed");
        assertThat(condition("Degraded")).startsWith("False");

        ask("managementState: Managed");
        assertThat(selector()).isEmpty();
    }

    @Test
    void whereNoAgentIsInstalledItIsSaidAndDoneWhenOneComes() {
        ask("nodeSelector: {gpu: a100}");
        assertThat(condition("Degraded"))
                .startsWith("True AgentsNotInstalled: there is no DaemonSet sro-agent/sro-agent");
        installed();
        assertThat(selector()).containsEntry("gpu", "a100");
    }

    @Test
    void anotherThanTheOneThatDasReadsIsToldSo() {
        installed();
        apply(OPERATOR.formatted("second", "nodeSelector: {gpu: a100}"));
        assertThat(selector()).isEmpty();
        assertThat(String.valueOf(status("second"))).contains("NotTheSingleton");
    }
}
