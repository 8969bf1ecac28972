package dev.sro.core.das;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The GPUs of a node that can be cut, and where slices of them can be, as the API has it. Immutable.
 *
 * <p>DAS has one table of profiles for a node, that of its first GPU. Here each GPU has its own in {@code nodeGpus[].migPlacement}, beside the fields that DAS
 * has; of an object of DAS each GPU gets the node's.
 *
 * @param namespace where it is; {@link DasNames#NAMESPACE}
 * @param node name of the Node, which is that of the object
 * @param gpus by which it is cut, in the order of the driver
 */
public record NodeAccelerator(String namespace, String node, List<AcceleratorGpu> gpus) {
    private static final String MIG = "nvidia-mig";
    private static final int MOST_UNITS = 64;

    /** Copies the list. */
    public NodeAccelerator {
        gpus = List.copyOf(gpus);
    }

    /**
     * A GPU. Immutable.
     *
     * @param uuid {@code GPU-…}
     * @param product as the driver prints it
     * @param memory as a quantity of Kubernetes, such as {@code 40Gi}; empty if nothing is said
     * @param model key of the catalogue; empty if nothing is said
     * @param address where it is on the PCI bus; empty if nothing is said
     * @param closed why nothing new of it can be had; empty if it can
     * @param profiles by name
     */
    public record AcceleratorGpu(
            String uuid,
            String product,
            String memory,
            String model,
            String address,
            String closed,
            Map<String, AcceleratorProfile> profiles) {
        /** Copies the map. */
        public AcceleratorGpu {
            profiles = Map.copyOf(profiles);
        }
    }

    /**
     * A profile of a GPU. Immutable.
     *
     * @param size width in memory units
     * @param starts legal first units, ascending
     * @param id by which the driver makes instances of it
     */
    public record AcceleratorProfile(int size, List<Integer> starts, int id) {
        /** Sorts and copies the list. */
        public AcceleratorProfile {
            starts = starts.stream().sorted().toList();
        }
    }

    /**
     * Reads one, of our own or of DAS.
     *
     * @throws IllegalArgumentException that names object and field, if something that is needed is missing or no such thing
     */
    public static NodeAccelerator of(GenericKubernetesResource object) {
        ObjectFields spec = ObjectFields.of(object, DasNames.NODE, "spec");
        String type = spec.textOrEmpty("acceleratorType");
        if (!type.isEmpty() && !type.equals(MIG)) {
            throw spec.wrong("acceleratorType", "is \"" + type + "\"; only " + MIG + " is known");
        }
        ObjectFields resources =
                ObjectFields.of(object, DasNames.NODE, "status").in("nodeResources");
        Map<String, AcceleratorProfile> ofTheNode = profiles(resources.in("migPlacement"));
        List<AcceleratorGpu> gpus = new ArrayList<>();
        for (ObjectFields gpu : resources.list("nodeGpus")) {
            Map<String, AcceleratorProfile> own = profiles(gpu.in("migPlacement"));
            gpus.add(new AcceleratorGpu(
                    gpu.text("gpuUuid"),
                    gpu.textOrEmpty("gpuName"),
                    gpu.textOrEmpty("gpuMemory"),
                    gpu.textOrEmpty("model"),
                    gpu.textOrEmpty("pciAddress"),
                    gpu.textOrEmpty("closed"),
                    own.isEmpty() ? ofTheNode : own));
        }
        String namespace = object.getMetadata().getNamespace();
        return new NodeAccelerator(
                namespace == null ? "" : namespace, object.getMetadata().getName(), gpus);
    }

    private static Map<String, AcceleratorProfile> profiles(ObjectFields table) {
        Map<String, AcceleratorProfile> profiles = new TreeMap<>();
        for (Object key : table.fields().keySet()) {
            String name = String.valueOf(key);
            ObjectFields profile = table.in(name);
            List<ObjectFields> placements = profile.list("placements");
            if (placements.isEmpty()) {
                continue;
            }
            profiles.put(
                    name,
                    new AcceleratorProfile(
                            placements.get(0).number("size", 1, MOST_UNITS),
                            placements.stream()
                                    .map(one -> one.number("start", 0, MOST_UNITS - 1))
                                    .toList(),
                            profile.fields().get("giProfileId") == null
                                    ? -1
                                    : profile.number("giProfileId", 0, Integer.MAX_VALUE)));
        }
        return profiles;
    }

    /** As it is created, without the status, which is a subresource. */
    public GenericKubernetesResource object() {
        GenericKubernetesResource object = new GenericKubernetesResource();
        object.setApiVersion(DasNames.API_VERSION);
        object.setKind(DasNames.NODE);
        object.setMetadata(
                new ObjectMetaBuilder().withNamespace(namespace).withName(node).build());
        object.setAdditionalProperty("spec", Map.of("acceleratorType", MIG));
        return object;
    }

    /** What {@code status.nodeResources} has. */
    public Map<String, Object> resources() {
        List<Object> list = new ArrayList<>();
        for (AcceleratorGpu gpu : gpus) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("gpuUuid", gpu.uuid());
            one.put("gpuName", gpu.product());
            one.put("gpuMemory", gpu.memory());
            one.put("model", gpu.model());
            one.put("pciAddress", gpu.address());
            one.put("closed", gpu.closed());
            one.values().removeIf(""::equals);
            one.put("migPlacement", table(gpu));
            list.add(one);
        }
        Map<String, Object> resources = new LinkedHashMap<>();
        resources.put("nodeGpus", list);
        if (!gpus.isEmpty()) {
            // DAS's own readers know this one alone.
            resources.put("migPlacement", table(gpus.get(0)));
        }
        return resources;
    }

    private static Map<String, Object> table(AcceleratorGpu gpu) {
        Map<String, Object> table = new TreeMap<>();
        gpu.profiles().forEach((name, profile) -> {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put(
                    "placements",
                    profile.starts().stream()
                            .map(start -> Map.of("size", profile.size(), "start", start))
                            .toList());
            if (profile.id() >= 0) {
                entry.put("giProfileId", profile.id());
            }
            table.put(name, entry);
        });
        return table;
    }
}
