package dev.sro.core.manifest;

import dev.sro.api.ClusterFacts;
import dev.sro.api.ManifestTemplate;
import dev.sro.api.Pool;
import dev.sro.api.ProxySettings;
import dev.sro.api.State;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.fixture.Nodes;
import dev.sro.core.fixture.Resources;
import dev.sro.core.fixture.TestPlugin;
import dev.sro.core.model.KubeObject;
import dev.sro.core.pool.Pools;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Renders what a test writes down for the special resource simple-kmod on the workers. */
final class Rendering {

    static final Map<String, String> WORKERS = Map.of("node-role.kubernetes.io/worker", "");

    final SpecialResource resource;
    final TestPlugin plugin;
    private ClusterFacts cluster = Resources.CLUSTER;
    private final List<ObservedNode> nodes = new ArrayList<>();

    private Rendering(SpecialResource resource, TestPlugin plugin) {
        this.resource = resource;
        this.plugin = plugin;
    }

    static Rendering of(State... chain) {
        return new Rendering(Resources.resource("simple-kmod", "kmod", WORKERS), new TestPlugin("kmod", chain));
    }

    static Rendering of(String yaml) {
        return of(State.of("1000-x", ManifestTemplate.text("x.yaml", yaml)));
    }

    Rendering on(ObservedNode... more) {
        nodes.addAll(List.of(more));
        return this;
    }

    void proxy(ProxySettings proxy) {
        cluster = ClusterFacts.builder().from(cluster).proxy(proxy).build();
    }

    /** Of OpenShift, by tag and by kernel. */
    void toolkits(Map<String, String> tags, Map<String, String> kernels) {
        cluster = ClusterFacts.builder()
                .from(cluster)
                .driverToolkits(tags)
                .driverToolkitKernels(kernels)
                .build();
    }

    List<Pool> pools() {
        List<ObservedNode> some = nodes.isEmpty() ? List.of(Nodes.node("n1", Nodes.K1)) : nodes;
        return Pools.group(some, node -> Map.of());
    }

    List<DesiredState> states() {
        return new Renderer(Resources.CODEC)
                .render(
                        Resources.recipe(resource, plugin, cluster),
                        Resources.spec(resource).getNamespace(),
                        pools());
    }

    DesiredState state() {
        return states().get(0);
    }

    /** All objects of all states. */
    List<KubeObject> objects() {
        return states().stream()
                .flatMap(state -> Stream.concat(
                        state.shared().stream(),
                        state.byPool().values().stream().flatMap(List::stream)))
                .map(Desired::object)
                .toList();
    }

    /** The only object there is. */
    KubeObject object() {
        List<KubeObject> objects = objects();
        if (objects.size() != 1) {
            throw new IllegalStateException("one object expected: " + objects + ", problems " + state().problems());
        }
        return objects.get(0);
    }
}
