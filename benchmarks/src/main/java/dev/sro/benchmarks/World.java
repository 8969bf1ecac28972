package dev.sro.benchmarks;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.ClusterFacts;
import dev.sro.api.ManifestTemplate;
import dev.sro.api.Outcome;
import dev.sro.api.PluginDescriptor;
import dev.sro.api.RecipeContext;
import dev.sro.api.State;
import dev.sro.api.StateGraph;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.apply.ClusterWriter;
import dev.sro.core.apply.Observer;
import dev.sro.core.client.codec.Fabric8Codec;
import dev.sro.core.engine.Engine;
import dev.sro.core.engine.port.ClusterReader;
import dev.sro.core.engine.port.Sight;
import dev.sro.core.facts.NodeProjector;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.plan.Plan;
import dev.sro.core.plan.Write;
import dev.sro.core.plugin.Plugins;
import dev.sro.core.probe.NodePod;
import dev.sro.core.probe.PodFacts;
import dev.sro.core.probe.ViewedKind;
import io.fabric8.kubernetes.api.model.FieldsV1;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntryBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A cluster in memory: nodes on a number of kernels, and one special resource whose recipe has a number of objects per pool.
 * Objects that a plan wants can be taken over as observed, so that the next plan finds everything as it shall be.
 */
final class World implements ClusterReader {

    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-01-01T00:00:00Z"), ZoneOffset.UTC);
    private static final String SELECTOR = "example.com/device";

    private final Fabric8Codec codec = new Fabric8Codec(new KubernetesSerialization());
    private final SpecialResource resource;
    private final ClusterFacts facts = ClusterFacts.builder()
            .addServedKinds("v1/Namespace", "v1/ConfigMap", "sro.openshift.io/v1beta1/SpecialResource")
            .addClusterScopedKinds("v1/Namespace", "sro.openshift.io/v1beta1/SpecialResource")
            .build();
    private final List<ObservedNode> nodes = new ArrayList<>();
    private final Map<ObjectRef, KubeObject> owned = new HashMap<>();
    private final int objectsPerPool;

    World(int nodeCount, int kernels, int objectsPerPool) {
        this.objectsPerPool = objectsPerPool;
        this.resource = codec.fromTree(
                Map.of(
                        "apiVersion",
                        "sro.openshift.io/v1beta1",
                        "kind",
                        "SpecialResource",
                        "metadata",
                        Map.of(
                                "name",
                                "bench",
                                "uid",
                                "uid-bench",
                                "generation",
                                1,
                                "finalizers",
                                List.of("sro.openshift.io/finalizer")),
                        "spec",
                        Map.of(
                                "namespace",
                                "bench",
                                "plugin",
                                Map.of("name", "bench"),
                                "nodeSelector",
                                Map.of(SELECTOR, "true"))),
                SpecialResource.class);
        for (int i = 0; i < nodeCount; i++) {
            nodes.add(NodeProjector.project(node(i, kernels)).orElseThrow());
        }
    }

    /** A node with 40 labels, as Node Feature Discovery leaves it. */
    static Node node(int index, int kernels) {
        String kernel = kernel(index, kernels);
        NodeBuilder node = new NodeBuilder()
                .withNewMetadata()
                .withName("node-" + index)
                .withUid("uid-" + index)
                .addToLabels(SELECTOR, "true")
                .addToLabels("kubernetes.io/arch", "amd64")
                .addToLabels("feature.node.kubernetes.io/kernel-version.full", kernel)
                .addToLabels("feature.node.kubernetes.io/system-os_release.ID", "rhel")
                .addToLabels("feature.node.kubernetes.io/system-os_release.VERSION_ID", "9.4")
                .endMetadata()
                .withNewStatus()
                .withNewNodeInfo()
                .withKernelVersion(kernel)
                .withOsImage("Red Hat Enterprise Linux 9.4 (Plow)")
                .withArchitecture("amd64")
                .withBootID("boot-" + index)
                .endNodeInfo()
                .addNewCondition()
                .withType("Ready")
                .withStatus("True")
                .withLastHeartbeatTime("2026-01-01T00:00:00Z")
                .endCondition()
                .addToAllocatable("cpu", new Quantity("63770m"))
                .addToAllocatable("memory", new Quantity("262144000Ki"))
                .addToAllocatable("pods", new Quantity("250"))
                .addToAllocatable("ephemeral-storage", new Quantity("95551679124"))
                .addToAllocatable("example.com/device", new Quantity("8"))
                .endStatus();
        for (int i = 0; i < 35; i++) {
            node.editMetadata()
                    .addToLabels("feature.node.kubernetes.io/cpu-cpuid.FEATURE" + i, "true")
                    .endMetadata();
        }
        Node built = node.build();
        manage(built, "nfd-master", Set.copyOf(built.getMetadata().getLabels().keySet()));
        return built;
    }

    static String kernel(int index, int kernels) {
        return "5.14.0-" + (400 + index % kernels) + ".el9.x86_64";
    }

    /** Adds that somebody holds these labels by server-side apply. */
    static void manage(Node node, String manager, Set<String> labels) {
        Map<String, Object> fields = new HashMap<>();
        labels.forEach(label -> fields.put("f:" + label, Map.of()));
        FieldsV1 held = new FieldsV1();
        held.setAdditionalProperty("f:metadata", Map.of("f:labels", fields));
        node.getMetadata()
                .getManagedFields()
                .add(new ManagedFieldsEntryBuilder()
                        .withManager(manager)
                        .withOperation("Apply")
                        .withFieldsV1(held)
                        .build());
    }

    Engine engine() {
        return Engine.builder()
                .reader(this)
                .writer(none(ClusterWriter.class))
                .observer(none(Observer.class))
                .plugins(Plugins.of(new BenchPlugin(objectsPerPool)))
                .codec(codec)
                .clock(CLOCK)
                .build();
    }

    /** Everything that the plan wants to write is there from now on. */
    void takeOver(Plan plan) {
        for (Write write : plan.writes()) {
            if (write instanceof Write.Apply apply) {
                owned.put(apply.ref(), apply.object().edit(tree -> {
                    ValueTrees.ensureMap(tree, "metadata").put("uid", "uid-" + owned.size());
                    ValueTrees.ensureMap(tree, "metadata").put("resourceVersion", "1");
                    if (apply.ref().kind().equals("Namespace")) {
                        ValueTrees.ensureMap(tree, "status").put("phase", "Active");
                    }
                }));
            } else if (write instanceof Write.UpdateStatus update) {
                resource.setStatus(update.status());
            }
        }
    }

    int size() {
        return owned.size();
    }

    @Override
    public Optional<SpecialResource> specialResource(String name) {
        return Optional.of(resource);
    }

    @Override
    public List<SpecialResource> specialResources() {
        return List.of(resource);
    }

    @Override
    public ClusterFacts cluster() {
        return facts;
    }

    @Override
    public Collection<ObservedNode> nodes() {
        return nodes;
    }

    @Override
    public Map<ObjectRef, KubeObject> owned(String specialResource) {
        return owned;
    }

    @Override
    public boolean isForeignNamespace(String namespace, String specialResource) {
        return false;
    }

    @Override
    public Optional<KubeObject> leftNamespace(String namespace) {
        return Optional.empty();
    }

    @Override
    public List<PodFacts> pods(String ownerUid) {
        return List.of();
    }

    @Override
    public void refreshCluster() {}

    @Override
    public Optional<Duration> watchDefinitions(Set<String> resources) {
        return Optional.empty();
    }

    @Override
    public Optional<Outcome> watchEnvironment() {
        return Optional.empty();
    }

    @Override
    public void watchPods(String specialResource, Set<String> nodes) {}

    @Override
    public Optional<List<NodePod>> podsOn(String node) {
        return Optional.empty();
    }

    @Override
    public void view(String specialResource, Set<ViewedKind<?>> kinds) {}

    @Override
    public <T> Optional<Collection<T>> viewed(ViewedKind<T> kind) {
        return Optional.of(List.of());
    }

    @Override
    public List<KubeObject> children(String ownerUid) {
        return List.of();
    }

    @Override
    public Map<String, Outcome> watch(Sight sight) {
        return Map.of();
    }

    private static <T> T none(Class<T> port) {
        return port.cast(Proxy.newProxyInstance(port.getClassLoader(), new Class<?>[] {port}, (proxy, method, args) -> {
            throw new IllegalStateException("plans only: nothing is written here");
        }));
    }

    /** A recipe of ConfigMaps, so that nothing but the engine is measured. */
    private record BenchPlugin(int objects) implements AcceleratorPlugin {

        @Override
        public PluginDescriptor descriptor() {
            return PluginDescriptor.of("bench", "1.0.0", "Example");
        }

        @Override
        public StateGraph states(RecipeContext context) {
            StringBuilder yaml = new StringBuilder();
            for (int i = 0; i < objects; i++) {
                yaml.append("---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}-")
                        .append(i)
                        .append("\n  annotations: {specialresource.openshift.io/kernel-affine: \"true\"}\ndata:\n")
                        .append("  kernel: ${kernelFullVersion}\n  os: ${operatingSystemMajorMinor}\n");
            }
            return StateGraph.chain(State.of("1000-objects", ManifestTemplate.text("objects.yaml", yaml.toString())));
        }
    }
}
