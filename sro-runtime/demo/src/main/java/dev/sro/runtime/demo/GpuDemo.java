package dev.sro.runtime.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.model.MetadataKeys;
import dev.sro.testkit.EmbeddedCluster;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.server.Gvr;
import dev.sro.testkit.server.Recording;
import dev.sro.testkit.sim.Behavior;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import dev.sro.testkit.sim.SimGpus;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * GPUs: NVIDIA's stack comes to eight nodes of two systems, and fails on one of them until that is mended; the nodes are kept for
 * pods that need GPUs, by taints and then by priorities. Confined to one thread.
 */
final class GpuDemo {

    static final String NAME = "gpu";

    static final String PLUGIN = "nvidia-gpu";

    static final int PHASES = 5;

    private static final int GPUS = 8;
    private static final String BROKEN = "gpu-5";
    private static final String CPU_NODE = "cpu-0";
    private static final String TAINT = "nvidia.com/gpu=present:NoSchedule";
    private static final String HIGH = "gpu-high-priority";
    private static final String LOW = "gpu-low-priority";

    private static final String RESOURCE = """
        apiVersion: sro.openshift.io/v1beta1
        kind: SpecialResource
        metadata: {name: gpu}
        spec:
          namespace: gpu
          plugin: {name: nvidia-gpu}
        """;

    private static final String HARD = """
          partitioning:
            hard: {taints: [{key: nvidia.com/gpu, value: present, effect: NoSchedule}]}
        """;

    /** The plugin says which resources pods ask for. */
    private static final String SOFT = """
          partitioning:
            soft:
              priorityClasses:
              - {name: gpu-high-priority, value: 1000000}
              - {name: gpu-low-priority, value: 100000}
              defaultClass: gpu-high-priority
        """;

    private final SroSandbox sandbox;
    private final DemoStage stage;
    private final GpuPods pods;
    private final Set<String> nodes = new TreeSet<>();

    GpuDemo(SroSandbox sandbox, DemoView view, Pacer pacer, Clock wall) {
        this.sandbox = sandbox;
        this.stage = new DemoStage(sandbox, view, pacer, wall, NAME, PHASES, Duration.ofMinutes(20));
        this.pods = new GpuPods(sandbox);
    }

    /** One where operands do something to their nodes. */
    static EmbeddedCluster.Builder cluster(boolean openShift) {
        return EmbeddedCluster.builder().openShift(openShift).controller(SimGpus.operands(GPUS));
    }

    DemoStage stage() {
        return stage;
    }

    /** Everywhere but on one node. */
    void install() {
        for (int i = 0; i < 8; i++) {
            String node = "gpu-" + i;
            sandbox.nodes().create(node, SimGpus.node(i < 4 ? OsRelease.UBUNTU_22 : OsRelease.RHEL_9));
            nodes.add(node);
        }
        sandbox.nodes().create(CPU_NODE, NodeProfile.of(OsRelease.UBUNTU_22));
        Set<String> others = new TreeSet<>(nodes);
        others.remove(BROKEN);
        String title = "NVIDIA's stack comes to eight nodes of two systems; CUDA does not work on " + BROKEN;
        stage.run("install", title, () -> {
            // CUDA is tried by the validations of the driver and of the device plugin.
            List.of("cuda-validation", "plugin-validation")
                    .forEach(container -> sandbox.simulation()
                            .behaviors()
                            .add(Behavior.crashLoop().node(BROKEN).container(container)));
            sandbox.apply(RESOURCE);
            stage.until(() -> List.of("5000", "6000", "8000", "9000").stream()
                            .allMatch(state -> reached(state).containsAll(others))
                    && sandbox.state(NAME).contains("cuda-validation"));
            Map<String, Long> drivers = drivers();
            return List.of(
                    DemoStage.check(
                            drivers.size() == 2 && drivers.values().stream().allMatch(count -> count == 4),
                            "each of the two systems has its driver, on four nodes",
                            "" + drivers),
                    DemoStage.check(
                            reached("1000").equals(nodes)
                                    && reached("3000").equals(others)
                                    && reached("5000").equals(others),
                            "the driver validation fails on " + BROKEN + ", and the seven others go on to the end",
                            "validated are " + reached("3000")),
                    DemoStage.check(
                            !sandbox.isReady(NAME) && sandbox.state(NAME).contains(BROKEN),
                            "the status says: " + sandbox.state(NAME),
                            sandbox.state(NAME)),
                    DemoStage.check(
                            touched().equals(nodes),
                            "the node without a GPU is left alone",
                            "labels of ours are on " + touched()));
        });
    }

    /** Nobody has to tell SRO. */
    void mend() {
        stage.run("mended", BROKEN + " is mended", () -> {
            sandbox.simulation().behaviors().clear();
            // A pod that crashes is started again ever later.
            stage.until(() -> sandbox.isReady(NAME) && offering().equals(nodes));
            Set<String> written = stage.writes().stream()
                    .filter(entry -> entry.resource().startsWith("nodes"))
                    .map(Recording.Entry::name)
                    .collect(Collectors.toCollection(TreeSet::new));
            return List.of(
                    DemoStage.check(
                            reached("9000").equals(nodes),
                            "all eight nodes offer " + GPUS + " GPUs each, validated and monitored",
                            "there are " + reached("9000")),
                    DemoStage.check(
                            written.equals(Set.of(BROKEN)),
                            "no other node was written to",
                            "written to are " + written));
        });
    }

    /** Hard partitioning. */
    void taint() {
        stage.run("taints", "spec.partitioning.hard: the nodes are for pods that need a GPU", () -> {
            Map<String, String> operands = operands();
            sandbox.apply(RESOURCE + HARD);
            stage.until(() -> tainted().equals(nodes) && sandbox.isReady(NAME));
            pods.create("web", 3, 3, "");
            pods.createWithGpu("training", 1);
            stage.until(() -> pods.running("web").size() == 2
                    && pods.pending("web").stream().anyMatch(text -> text.contains("untolerated taint"))
                    && pods.running("training").size() == 1);
            return List.of(
                    DemoStage.check(
                            tainted().equals(nodes),
                            TAINT + " is on the eight nodes, and on no other",
                            "it is on " + tainted()),
                    DemoStage.check(
                            Set.copyOf(pods.running("web").values()).equals(Set.of(CPU_NODE)),
                            "of three plain pods " + CPU_NODE + " has room for two, and no GPU node takes the third",
                            "they are on " + pods.running("web").values()),
                    DemoStage.check(
                            nodes.containsAll(pods.running("training").values()),
                            "a pod that asks for a GPU is given the toleration by the API server, and runs on "
                                    + String.join(", ", pods.running("training").values()),
                            "it is on " + pods.running("training").values()),
                    DemoStage.check(
                            operands.keySet().containsAll(operands().keySet()),
                            "no pod of the stack was started anew",
                            "before " + operands + ", now " + operands()));
        });
    }

    /** Soft partitioning. */
    void preempt() {
        pods.delete("web");
        pods.delete("training");
        String title = "spec.partitioning.soft: everybody may come, and pods that need a GPU go first";
        stage.run("priorities", title, () -> {
            sandbox.apply(RESOURCE + SOFT);
            stage.until(() -> tainted().isEmpty()
                    && classes().equals(Set.of(HIGH, LOW))
                    && policies().contains(HIGH)
                    && pods.of("web").isEmpty()
                    && pods.of("training").isEmpty()
                    && sandbox.isReady(NAME));
            pods.create(
                    "batch",
                    nodes.size(),
                    6,
                    "priorityClassName: " + LOW + "\nnodeSelector: {nvidia.com/gpu.present: \"true\"}");
            stage.until(() -> pods.running("batch").size() == nodes.size());
            Map<String, String> before = pods.running("batch");
            pods.createWithGpu("training", 6);
            stage.until(() -> pods.running("training").size() == 1);
            Map<String, String> gone = new TreeMap<>(before);
            gone.keySet().removeAll(pods.running("batch").keySet());
            return List.of(
                    DemoStage.check(
                            Set.copyOf(before.values()).equals(nodes),
                            "the taints are gone, and pods of low priority fill the eight nodes",
                            "they were on " + before.values()),
                    DemoStage.check(
                            gone.size() == 1
                                    && Set.copyOf(gone.values())
                                            .equals(Set.copyOf(
                                                    pods.running("training").values())),
                            "one of them had to go, for a pod that asks for a GPU and so is of high priority",
                            "gone are " + gone + ", it is on "
                                    + pods.running("training").values()));
        });
    }

    void delete() {
        pods.delete("batch");
        pods.delete("training");
        stage.run("deleted", "the SpecialResource is deleted", () -> {
            sandbox.client().resources(SpecialResource.class).withName(NAME).delete();
            stage.until(() -> sandbox.get(NAME).isEmpty()
                    && RemainingObjects.find(sandbox.cluster().api(), NAME).isEmpty());
            return List.of(
                    DemoStage.check(
                            RemainingObjects.find(sandbox.cluster().api(), NAME).isEmpty(),
                            "nothing is left behind: no object, no namespace, no mark on a node",
                            "" + RemainingObjects.find(sandbox.cluster().api(), NAME)),
                    DemoStage.check(
                            tainted().isEmpty()
                                    && classes().isEmpty()
                                    && policies().equals("[]")
                                    && offering().isEmpty(),
                            "no taint, no priority class, no admission policy, and no node offers a GPU",
                            tainted() + " " + classes() + " " + offering()));
        });
    }

    /** Nodes on which a state is ready. */
    private Set<String> reached(String state) {
        return nodes(node -> node.at("/metadata/labels")
                .path(MetadataKeys.stateLabel(NAME, state))
                .asText()
                .equals("Ready"));
    }

    private Set<String> touched() {
        return nodes(node -> {
            Set<String> labels = new TreeSet<>();
            node.at("/metadata/labels").fieldNames().forEachRemaining(labels::add);
            return labels.stream()
                    .anyMatch(label ->
                            label.startsWith(MetadataKeys.STATE_LABEL_PREFIX) || label.startsWith("nvidia.com/"));
        });
    }

    private Set<String> offering() {
        return nodes(
                node -> node.at("/status/allocatable").path(SimGpus.RESOURCE).asInt() == GPUS);
    }

    /** Nodes with our taint, or with any of this key. */
    private Set<String> tainted() {
        return nodes(node -> {
            boolean any = false;
            for (JsonNode taint : node.at("/spec/taints")) {
                any |= taint.path("key").asText().equals(SimGpus.RESOURCE);
            }
            return any;
        });
    }

    private Set<String> nodes(Predicate<ObjectNode> which) {
        return sandbox.cluster().api().list(Gvr.NODES).stream()
                .filter(which)
                .map(node -> node.at("/metadata/name").asText())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private Set<String> classes() {
        return sandbox.cluster().api().list(Gvr.PRIORITYCLASSES).stream()
                .map(each -> each.at("/metadata/name").asText())
                .filter(name -> name.startsWith("gpu-"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** What the API server gives pods that ask for a GPU. */
    private String policies() {
        return sandbox.cluster()
                .api()
                .list(new Gvr("admissionregistration.k8s.io", "v1", "mutatingadmissionpolicies"))
                .toString();
    }

    /** On how many nodes a driver's image runs. */
    private Map<String, Long> drivers() {
        return sandbox.cluster().api().list(Gvr.PODS).stream()
                .filter(pod -> pod.at("/metadata/name").asText().startsWith("nvidia-driver-daemonset"))
                .collect(Collectors.groupingBy(
                        pod -> pod.at("/spec/containers/0/image").asText(), TreeMap::new, Collectors.counting()));
    }

    /** The pods of the stack, by uid. */
    private Map<String, String> operands() {
        Map<String, String> operands = new TreeMap<>();
        sandbox.cluster().api().list(Gvr.PODS).stream()
                .filter(pod -> pod.at("/metadata/namespace").asText().equals(NAME))
                .forEach(pod -> operands.put(
                        pod.at("/metadata/uid").asText(),
                        pod.at("/metadata/name").asText()));
        return operands;
    }
}
