package dev.sro.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.server.Gvr;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EmbeddedClusterTest {
    private final EmbeddedCluster cluster = EmbeddedCluster.create();
    private final KubernetesClient client = cluster.client();

    @AfterEach
    void close() {
        cluster.close();
    }

    private static ConfigMap configMap(String name, Map<String, String> data) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace("default")
                .endMetadata()
                .withData(data)
                .build();
    }

    @Test
    void theRealClientCreatesReadsChangesAndDeletes() {
        ConfigMap made = client.resource(configMap("a", Map.of("k", "1"))).create();
        assertThat(made.getMetadata().getUid()).isNotBlank();
        assertThat(made.getMetadata().getCreationTimestamp()).isEqualTo("2026-01-01T00:00:00Z");

        ConfigMap changed = client.configMaps()
                .inNamespace("default")
                .withName("a")
                .edit(c -> new ConfigMapBuilder(c).addToData("k", "2").build());
        assertThat(changed.getData()).containsEntry("k", "2");
        assertThat(changed.getMetadata().getResourceVersion())
                .isNotEqualTo(made.getMetadata().getResourceVersion());

        assertThat(client.resource(changed).delete()).hasSize(1);
        assertThat(client.configMaps().inNamespace("default").withName("a").get())
                .isNull();
    }

    @Test
    void aSecondCreateIsAConflict() {
        client.resource(configMap("a", Map.of())).create();

        assertThatThrownBy(() -> client.resource(configMap("a", Map.of())).create())
                .isInstanceOfSatisfying(
                        KubernetesClientException.class,
                        e -> assertThat(e.getCode()).isEqualTo(409));
    }

    @Test
    void listsComeInPages() {
        for (String name : List.of("a", "b", "c")) {
            client.resource(configMap(name, Map.of())).create();
        }

        var page = client.configMaps()
                .inNamespace("default")
                .list(new ListOptionsBuilder().withLimit(2L).build());
        assertThat(page.getItems()).extracting(c -> c.getMetadata().getName()).containsExactly("a", "b");

        var rest = client.configMaps()
                .inNamespace("default")
                .list(new ListOptionsBuilder()
                        .withLimit(2L)
                        .withContinue(page.getMetadata().getContinue())
                        .build());
        assertThat(rest.getItems()).extracting(c -> c.getMetadata().getName()).containsExactly("c", "kube-root-ca.crt");
    }

    @Test
    void informersSeeWhatIsThereAndWhatHappens() {
        client.resource(node("n1")).create();
        List<String> seen = new ArrayList<>();
        SharedIndexInformer<Node> informer = client.nodes().inform(new ResourceEventHandler<>() {
            @Override
            public void onAdd(Node node) {
                seen.add("add " + node.getMetadata().getName());
            }

            @Override
            public void onUpdate(Node before, Node node) {
                seen.add("update " + node.getMetadata().getLabels());
            }

            @Override
            public void onDelete(Node node, boolean unknown) {
                seen.add("delete " + node.getMetadata().getName());
            }
        });
        cluster.settle();

        client.resource(node("n2")).create();
        client.nodes()
                .withName("n1")
                .edit(n -> new NodeBuilder(n)
                        .editMetadata()
                        .addToLabels("x", "y")
                        .endMetadata()
                        .build());
        client.nodes().withName("n2").delete();
        cluster.settle();

        assertThat(seen).containsExactly("add n1", "add n2", "update {x=y}", "delete n2");
        assertThat(informer.getStore().list()).hasSize(1);
    }

    @Test
    void anInformerComesBackAfterItsWatchWasDropped() {
        SharedIndexInformer<Node> informer = client.nodes().inform();
        cluster.settle();
        cluster.dropWatches(Gvr.NODES);
        client.resource(node("n1")).create();

        cluster.settle();
        // The client waits a moment before it watches again, on a timer of its own.
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (informer.getStore().list().isEmpty() && System.nanoTime() < deadline) {
            Thread.onSpinWait();
            cluster.settle();
        }
        assertThat(informer.getStore().list()).hasSize(1);
    }

    @Test
    void handlersOfAnInformerRunOnTheTestsThreadEvenAfterAWatchWasDropped() throws InterruptedException {
        Set<Thread> threads = new HashSet<>();
        client.nodes().inform(new ResourceEventHandler<>() {
            @Override
            public void onAdd(Node node) {
                threads.add(Thread.currentThread());
            }

            @Override
            public void onUpdate(Node before, Node node) {
                threads.add(Thread.currentThread());
            }

            @Override
            public void onDelete(Node node, boolean unknown) {
                threads.add(Thread.currentThread());
            }
        });
        cluster.settle();
        int watches = cluster.server().openWatches(Gvr.NODES);
        cluster.dropWatches(Gvr.NODES);
        client.resource(node("n1")).create();
        cluster.server().forgetHistory(Gvr.NODES);
        assertThat(cluster.server().openWatches(Gvr.NODES)).isZero();

        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (cluster.server().openWatches(Gvr.NODES) < watches && System.nanoTime() < deadline) {
            Thread.sleep(1);
            cluster.settle();
        }

        assertThat(watches).isEqualTo(1);
        assertThat(threads).containsExactly(Thread.currentThread());
    }

    private static Node node(String name) {
        return new NodeBuilder().withNewMetadata().withName(name).endMetadata().build();
    }

    @Test
    void dependentsFollowTheirOwner() {
        ConfigMap owner = client.resource(configMap("owner", Map.of())).create();
        ConfigMap dependent = configMap("dependent", Map.of());
        dependent.addOwnerReference(owner);
        client.resource(dependent).create();
        cluster.settle();
        assertThat(client.resource(dependent).get()).isNotNull();

        client.resource(owner).delete();
        cluster.settle();

        assertThat(client.resource(dependent).get()).isNull();
    }

    @Test
    void aDeletedNamespaceTakesItsContentsAlong() {
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName("team")
                        .endMetadata()
                        .build())
                .create();
        cluster.settle();
        assertThat(client.serviceAccounts()
                        .inNamespace("team")
                        .withName("default")
                        .get())
                .isNotNull();
        client.configMaps()
                .inNamespace("team")
                .resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName("a")
                        .endMetadata()
                        .build())
                .create();

        client.namespaces().withName("team").delete();
        assertThat(client.namespaces().withName("team").get().getStatus().getPhase())
                .isEqualTo("Terminating");
        cluster.settle();

        assertThat(client.namespaces().withName("team").get()).isNull();
        assertThat(client.configMaps().inNamespace("team").list().getItems()).isEmpty();
    }

    @Test
    void directAccessSharesTheObjectsWithTheClient() {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.putObject("metadata").put("name", "n");
        cluster.api().create(Gvr.NODES, node);
        cluster.api().update(Gvr.NODES, null, "n", "status", n -> {
            n.withObject("/status/capacity").put("cpu", "8");
            return n;
        });

        Node seen = client.nodes().withName("n").get();
        assertThat(seen.getStatus().getCapacity()).containsEntry("cpu", new Quantity("8"));
    }

    @Test
    void serverSideApplyCreatesAndAppliesAgainWithoutAWrite() {
        ConfigMap wanted = configMap("a", Map.of("k", "1"));
        ConfigMap first = client.resource(wanted).fieldManager("m").serverSideApply();
        long version = cluster.api().resourceVersion();

        ConfigMap second = client.resource(wanted).fieldManager("m").serverSideApply();

        assertThat(second.getMetadata().getResourceVersion())
                .isEqualTo(first.getMetadata().getResourceVersion());
        assertThat(cluster.api().resourceVersion()).isEqualTo(version);
    }

    @Test
    void requestsAreRecorded() {
        cluster.recording().start();
        client.resource(configMap("a", Map.of())).create();
        client.configMaps().inNamespace("default").withName("a").get();

        assertThat(cluster.recording().counts())
                .containsEntry("create configmaps", 1L)
                .containsEntry("get configmaps", 1L);
        assertThat(cluster.recording().writes())
                .singleElement()
                .satisfies(e -> assertThat(e.status()).isEqualTo(201));
    }

    @Test
    void faultsHitTheRequestsTheyAreMeantFor() {
        cluster.faults().rule().verbs("create").resources("configmaps").times(1).unavailable();

        assertThatThrownBy(() -> client.resource(configMap("a", Map.of())).create())
                .isInstanceOfSatisfying(
                        KubernetesClientException.class,
                        e -> assertThat(e.getCode()).isEqualTo(503));
        assertThat(client.resource(configMap("a", Map.of())).create()).isNotNull();
    }

    @Test
    void aLostAnswerLeavesTheObjectBehind() {
        cluster.faults().rule().verbs("create").resources("configmaps").times(1).loseAnswer();

        assertThatThrownBy(() -> client.resource(configMap("a", Map.of())).create())
                .isInstanceOf(KubernetesClientException.class);
        assertThat(client.configMaps().inNamespace("default").withName("a").get())
                .isNotNull();
    }
}
