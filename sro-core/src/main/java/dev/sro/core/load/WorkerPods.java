package dev.sro.core.load;

import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.ValueTrees;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes worker pods of the templates that {@link LoadState} keeps. Stateless. */
public final class WorkerPods {

    /** Kind of the templates. */
    public static final String KIND = "PodTemplate";

    private static final int MAX_NAME = 63;

    /** A dash and 16 digits. */
    private static final int HASH = 17;

    private static final String SUFFIX = "-load";

    private WorkerPods() {}

    /** Whether worker pods are made of it. */
    public static boolean isTemplate(KubeObject object) {
        return object.ref().kind().equals(KIND)
                && object.annotation(MetadataKeys.LOAD_CONFIG).isPresent();
    }

    /** The pod of this special resource on a node: there is one name, so that there is one pod. */
    public static ObjectRef ref(String specialResource, String namespace, String node) {
        String name = MetadataKeys.fit(specialResource, MAX_NAME - HASH - SUFFIX.length()) + SUFFIX + "-"
                + NodeLoad.hash(specialResource + "/" + node);
        return new ObjectRef("v1", "Pod", namespace, name);
    }

    /**
     * The pod.
     *
     * @param template as the API server has it
     * @param node where it works
     * @param bootId of the node; empty when it is unknown
     */
    public static KubeObject render(KubeObject template, ObjectRef ref, String node, String bootId, WorkerTask work) {
        Map<String, Object> pod = ValueTrees.mutableCopy(template.map("template"));
        Map<String, Object> metadata = ValueTrees.ensureMap(pod, "metadata");
        metadata.keySet().retainAll(List.of("labels", "annotations"));
        metadata.put("name", ref.name());
        metadata.put("namespace", ref.namespace());
        metadata.put("ownerReferences", template.maps("metadata", "ownerReferences"));
        ValueTrees.ensureMap(metadata, "annotations").put(MetadataKeys.WORK, work.text());
        Map<String, Object> spec = ValueTrees.ensureMap(pod, "spec");
        spec.put("nodeName", node);
        // The node is known; labels that change while the pod waits would have the kubelet turn it away.
        spec.remove("nodeSelector");
        if (work.task() == WorkerTask.Task.UNLOAD) {
            spec.put("tolerations", List.of(Map.of("operator", "Exists")));
        }
        List<Object> containers = new ArrayList<>();
        for (Map<String, Object> container : ValueTrees.maps(spec, "containers")) {
            containers.add(
                    DriverPods.CONTAINER.equals(container.get("name")) ? working(container, bootId, work) : container);
        }
        spec.put("containers", containers);
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("apiVersion", ref.apiVersion());
        tree.put("kind", ref.kind());
        tree.putAll(pod);
        return KubeObject.of(tree);
    }

    private static Map<String, Object> working(Map<String, Object> container, String bootId, WorkerTask work) {
        Map<String, Object> copy = new LinkedHashMap<>(container);
        copy.put("command", DriverPods.command(work.task().word()));
        List<Object> variables = new ArrayList<>(ValueTrees.maps(container, "env"));
        Map<String, Object> boot = new LinkedHashMap<>();
        boot.put("name", "SRO_BOOT");
        boot.put("value", DriverPods.escaped(bootId));
        variables.add(boot);
        copy.put("env", variables);
        return copy;
    }

    /** By what all worker pods of a special resource are looked up, as by the uid of a controller. */
    public static String lookup(String namespace, String specialResourceLabel) {
        return "Worker/" + namespace + "/" + specialResourceLabel;
    }

    /** Whether it is a worker pod: SRO makes and deletes it by itself, it is nobody's operand. */
    public static boolean isOne(KubeObject object) {
        return object.ref().kind().equals("Pod")
                && object.annotation(MetadataKeys.WORK).isPresent();
    }
}
