package dev.sro.core.client.writer;

import dev.sro.core.apply.ClusterWriter;
import dev.sro.core.apply.StoredNode;
import dev.sro.core.apply.WriteException;
import dev.sro.core.facts.NodeProjector;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.NodeFields;
import dev.sro.core.model.NodeVerdict;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.partition.NodeTaints;
import dev.sro.core.partition.TaintChange;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The writes on nodes, each as {@link ClusterWriter} says. Thread-safe. */
final class NodeWriter {

    private final KubernetesClient client;
    private final WriteRequests requests;

    NodeWriter(KubernetesClient client, WriteRequests requests) {
        this.client = client;
        this.requests = requests;
    }

    StoredNode labelNode(String node, String uid, String manager, NodeFields marks) throws WriteException {
        ObjectRef ref = new ObjectRef("v1", "Node", "", node);
        Map<String, Object> metadata = WriteRequests.metadata(ref, uid);
        Map<String, String> labels = marks.labels();
        if (!labels.isEmpty()) {
            metadata.put("labels", labels);
        }
        if (!marks.annotations().isEmpty()) {
            metadata.put("annotations", marks.annotations());
        }
        Map<String, Object> tree = WriteRequests.tree(ref, metadata);
        if (marks.cordoned()) {
            tree.put("spec", Map.of("unschedulable", true));
        }
        GenericKubernetesResource stored = requests.apply(ref, tree, "", manager, false);
        Map<String, @Nullable String> left = new TreeMap<>();
        stored.getMetadata().getLabels().keySet().stream()
                .filter(label -> !labels.containsKey(label))
                .filter(label -> MetadataKeys.stateLabelOwner(label)
                        .filter(owner -> MetadataKeys.nodeManager(owner).equals(manager))
                        .isPresent())
                .forEach(label -> left.put(label, null));
        // Those of the operator before us, which holds them by another name.
        return stored(
                left.isEmpty() ? stored : requests.merge(ref, Map.of("metadata", Map.of("uid", uid, "labels", left))));
    }

    StoredNode clearNode(String node, String uid, SortedSet<String> labels, SortedSet<String> annotations)
            throws WriteException {
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("uid", uid);
        metadata.put("labels", nothing(labels));
        metadata.put("annotations", nothing(annotations));
        requests.check();
        String text = client.getKubernetesSerialization().asJson(Map.of("metadata", metadata));
        // Of a name alone the client would ask for the node first, for which SRO has no right.
        Node named =
                new NodeBuilder().withNewMetadata().withName(node).endMetadata().build();
        return StoredNode.of(
                Errors.translate(() -> client.resource(named).patch(PatchContext.of(PatchType.JSON_MERGE), text)));
    }

    private static Map<String, @Nullable String> nothing(SortedSet<String> keys) {
        Map<String, @Nullable String> nothing = new TreeMap<>();
        keys.forEach(key -> nothing.put(key, null));
        return nothing;
    }

    StoredNode taintNode(String node, String uid, TaintChange change) throws WriteException {
        // By a list, for which SRO has the right anyway.
        Node live = Errors.translate(() ->
                        client.nodes().withField("metadata.name", node).list().getItems())
                .stream()
                .filter(each -> uid.equals(each.getMetadata().getUid()))
                .findFirst()
                .orElseThrow(() -> new WriteException(WriteException.Kind.NOT_FOUND, "node " + node + " is gone"));
        List<Taint> before = live.getSpec() == null ? List.of() : live.getSpec().getTaints();
        String annotation = change.share().map(TaintChange.Share::annotation).orElse("");
        NodeTaints known =
                new NodeTaints(before.stream().map(NodeProjector::text).toList(), recorded(live, annotation));
        NodeTaints wanted = change.on(known);
        if (wanted.equals(known)) {
            return StoredNode.of(live);
        }
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("uid", uid);
        metadata.put("resourceVersion", live.getMetadata().getResourceVersion());
        if (!wanted.recorded().equals(known.recorded())) {
            Map<String, @Nullable String> record = new HashMap<>();
            record.put(annotation, wanted.recorded().isEmpty() ? null : wanted.text());
            metadata.put("annotations", record);
        }
        Map<String, Object> patch = new LinkedHashMap<>();
        patch.put("metadata", metadata);
        if (!wanted.taints().equals(known.taints())) {
            patch.put("spec", Map.of("taints", taints(before, wanted.taints())));
        }
        requests.check();
        String text = client.getKubernetesSerialization().asJson(patch);
        return StoredNode.of(
                Errors.translate(() -> client.resource(live).patch(PatchContext.of(PatchType.JSON_MERGE), text)));
    }

    StoredNode judgeNode(String node, String uid, String manager, SortedMap<String, NodeVerdict> verdicts)
            throws WriteException {
        ObjectRef ref = new ObjectRef("v1", "Node", "", node);
        Map<String, Object> tree = WriteRequests.tree(ref, WriteRequests.metadata(ref, uid));
        List<Map<String, String>> conditions = new ArrayList<>();
        verdicts.forEach((type, verdict) -> conditions.add(verdict.condition(type)));
        if (!conditions.isEmpty()) {
            tree.put("status", Map.of("conditions", conditions));
        }
        return stored(requests.apply(ref, tree, "status", manager, false));
    }

    private StoredNode stored(GenericKubernetesResource node) {
        return StoredNode.of(client.getKubernetesSerialization().convertValue(node, Node.class));
    }

    private static List<String> recorded(Node node, String annotation) {
        Map<String, String> annotations = node.getMetadata().getAnnotations();
        return NodeTaints.parse(annotations == null ? "" : annotations.getOrDefault(annotation, ""));
    }

    /** Those that stay keep what a text does not have: since when they are there. */
    private static List<Taint> taints(List<Taint> before, List<String> wanted) {
        return wanted.stream()
                .map(text -> before.stream()
                        .filter(each -> NodeProjector.text(each).equals(text))
                        .findFirst()
                        .orElseGet(() -> NodeProjector.taint(text)))
                .toList();
    }
}
