package dev.sro.runtime.charts;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sro.core.yaml.Yaml;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.sim.NodeProfile;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Map;
import java.util.Objects;

/**
 * What happens to a cluster from outside of SRO, each a document: an object that somebody applies, a node that comes, boots, leaves or
 * gets labels and taints, an object that another controller patches or somebody deletes.
 */
final class ClusterChanges {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final SroSandbox sandbox;
    private final NodeProfile node;

    /** @param node what nodes that come are like */
    ClusterChanges(SroSandbox sandbox, NodeProfile node) {
        this.sandbox = sandbox;
        this.node = node;
    }

    /** Whether the document is one of these; otherwise nothing was done. */
    boolean make(Map<String, Object> change) {
        String what = change.keySet().iterator().next();
        String whom = String.valueOf(change.get(what));
        switch (what) {
            case "node" -> sandbox.nodes().create(text(change, "name", "more"), comer(change, whom));
            case "reboot" -> sandbox.nodes().reboot(whom, text(change, "kernel", ""));
            case "leave" -> sandbox.nodes().delete(whom);
            case "label" -> sandbox.nodes().label(whom, text(change, "key", ""), (String) change.get("value"));
            case "taint" -> sandbox.nodes().taint(whom, text(change, "key", ""), "", text(change, "effect", ""));
            case "untaint" -> sandbox.nodes().untaint(whom, text(change, "key", ""));
            case "offer" -> offer(whom, text(change, "resource", ""), text(change, "count", "1"));
            case "remove" -> object(whom).delete();
            case "patch" -> {
                Object patch = Objects.requireNonNull(change.get("with"), "with");
                patch(whom, patch, text(change, "by", "another-controller"));
            }
            default -> {
                if ("SpecialResource".equals(change.get("kind"))) {
                    return false;
                }
                GenericKubernetesResource given =
                        Serialization.unmarshal(Serialization.asJson(change), GenericKubernetesResource.class);
                sandbox.client().resource(given).fieldManager("kubectl").serverSideApply();
            }
        }
        return true;
    }

    private NodeProfile comer(Map<String, Object> change, String kernel) {
        NodeProfile comer = node.withKernel(kernel);
        if (change.get("labels") instanceof Map<?, ?> labels) {
            for (Map.Entry<?, ?> label : labels.entrySet()) {
                comer = comer.withLabel(String.valueOf(label.getKey()), String.valueOf(label.getValue()));
            }
        }
        return comer;
    }

    /** What a device plugin that registers has kubelet write. */
    private void offer(String node, String resource, String count) {
        sandbox.client()
                .nodes()
                .withName(node)
                .editStatus(found -> found.edit()
                        .editOrNewStatus()
                        .addToCapacity(resource, Quantity.parse(count))
                        .addToAllocatable(resource, Quantity.parse(count))
                        .endStatus()
                        .build());
    }

    private void patch(String whom, Object patch, String manager) {
        try {
            object(whom)
                    .patch(
                            new PatchContext.Builder()
                                    .withPatchType(PatchType.JSON_MERGE)
                                    .withFieldManager(manager)
                                    .build(),
                            JSON.writeValueAsString(patch));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(whom, e);
        }
    }

    /** Of "VERSION KIND [NAMESPACE/]NAME". */
    private Resource<GenericKubernetesResource> object(String words) {
        String[] parts = words.split(" ", 3);
        String[] name = parts[2].split("/", 2);
        var kind = sandbox.client().genericKubernetesResources(parts[0], parts[1]);
        return name.length == 1
                ? kind.withName(name[0])
                : kind.inNamespace(name[0]).withName(name[1]);
    }

    private static String text(Map<String, Object> change, String key, String otherwise) {
        return String.valueOf(Objects.requireNonNullElse(change.get(key), otherwise));
    }

    /** The documents of a text. */
    static Iterable<Map<String, Object>> of(String yaml) {
        return Yaml.documents("apply", yaml);
    }
}
