package dev.sro.testkit.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.core.model.MetadataKeys;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.server.ClusterApi;
import dev.sro.testkit.server.Gvr;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a history leaves behind, without what no two histories share (uids, versions, times), and without the namespace, which
 * stays once it was needed.
 */
record Snapshot(Map<String, String> operands, Map<String, TreeSet<String>> nodeLabels, TreeSet<String> pods) {

    private static final List<Gvr> KINDS = List.of(Gvr.JOBS, Gvr.DAEMONSETS, Gvr.SERVICEACCOUNTS);

    static Snapshot of(SroSandbox sandbox) {
        ClusterApi api = sandbox.cluster().api();
        Map<String, String> operands = new TreeMap<>();
        for (Gvr kind : KINDS) {
            for (ObjectNode object : api.list(kind)) {
                if (object.at("/metadata/labels").has(MetadataKeys.OWNED)) {
                    operands.put(kind.plural() + "/" + name(object), essence(object));
                }
            }
        }
        Map<String, TreeSet<String>> labels = new TreeMap<>();
        for (ObjectNode node : api.list(Gvr.NODES)) {
            TreeSet<String> ours = new TreeSet<>();
            node.at("/metadata/labels").fieldNames().forEachRemaining(label -> {
                if (label.startsWith(MetadataKeys.STATE_LABEL_PREFIX)) {
                    ours.add(label);
                }
            });
            labels.put(name(node), ours);
        }
        TreeSet<String> pods = new TreeSet<>();
        for (ObjectNode pod : api.list(Gvr.PODS)) {
            String owner = pod.at("/metadata/ownerReferences/0/name").asText();
            if (pod.at("/metadata/ownerReferences/0/kind").asText().equals("DaemonSet")) {
                pods.add(owner + "@" + pod.at("/spec/nodeName").asText());
            }
        }
        return new Snapshot(operands, labels, pods);
    }

    /** The same with other nodes, each of which is like one of those here. */
    Snapshot withNodes(Map<String, String> models) {
        Map<String, TreeSet<String>> labels = new TreeMap<>();
        TreeSet<String> podsOnThem = new TreeSet<>();
        models.forEach((node, model) -> {
            labels.put("/" + node, nodeLabels.getOrDefault("/" + model, new TreeSet<>()));
            for (String pod : pods) {
                String owner = pod.substring(0, pod.indexOf('@'));
                if (pod.equals(owner + "@" + model)) {
                    podsOnThem.add(owner + "@" + node);
                }
            }
        });
        return new Snapshot(operands, labels, podsOnThem);
    }

    /** Spec, labels and annotations, without digests and references that contain uids. */
    private static String essence(ObjectNode object) {
        ObjectNode copy = object.deepCopy();
        copy.remove("status");
        ObjectNode metadata = (ObjectNode) copy.get("metadata");
        for (String field : List.of(
                "uid", "resourceVersion", "creationTimestamp", "managedFields", "generation", "ownerReferences")) {
            metadata.remove(field);
        }
        if (metadata.get("annotations") instanceof ObjectNode annotations) {
            annotations.remove(MetadataKeys.APPLIED);
            annotations.remove("deprecated.daemonset.template.generation");
            annotations.remove(History.FOREIGN);
        }
        return scrub(copy).toString();
    }

    /** Job controllers put their uid into selectors and labels. */
    private static JsonNode scrub(ObjectNode object) {
        if (object.at("/kind").asText().equals("Job")) {
            ObjectNode spec = (ObjectNode) object.get("spec");
            spec.remove("selector");
            ((ObjectNode) spec.at("/template/metadata")).remove("labels");
            ((ObjectNode) object.get("metadata")).remove("labels");
        }
        return object;
    }

    private static String name(ObjectNode object) {
        return object.at("/metadata/namespace").asText("") + "/"
                + object.at("/metadata/name").asText();
    }
}
