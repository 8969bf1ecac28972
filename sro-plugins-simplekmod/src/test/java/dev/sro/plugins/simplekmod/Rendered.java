package dev.sro.plugins.simplekmod;

import dev.sro.api.ClusterFacts;
import dev.sro.api.KernelVersion;
import dev.sro.api.NodeFacts;
import dev.sro.api.OsRelease;
import dev.sro.api.RecipeContext;
import dev.sro.api.resource.DriverContainer;
import dev.sro.api.resource.DriverSource;
import dev.sro.api.resource.GitSource;
import dev.sro.api.resource.PluginReference;
import dev.sro.api.resource.SpecialResource;
import dev.sro.api.resource.SpecialResourceSpec;
import dev.sro.core.client.Fabric8Codec;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.manifest.Desired;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.manifest.Renderer;
import dev.sro.core.model.KubeObject;
import dev.sro.core.plugin.Plugins;
import dev.sro.core.pool.Pools;
import dev.sro.core.recipe.PluginGuard;
import dev.sro.core.recipe.RecipeResolver;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/** The plugin's states, rendered for nodes. Immutable. */
record Rendered(List<DesiredState> states) {

    static final Map<String, Object> USUAL_SET = Map.of(
            "kmodNames",
            List.of("simple-kmod", "simple-procfs-kmod"),
            "buildArgs",
            List.of(Map.of("name", "KMODVER", "value", "SRO")));

    static final Set<String> KUBERNETES = Set.of("batch/v1/Job", "apps/v1/DaemonSet");

    static final Set<String> OPENSHIFT = Set.of("build.openshift.io/v1/BuildConfig", "apps/v1/DaemonSet");

    private static final ObservedNode[] USUAL_NODES = {
        node("a", "5.14.0-427.50.1.el9_4.x86_64", new OsRelease("rhel", "9.4"), "amd64"),
        node("b", "5.15.0-91-generic+", new OsRelease("ubuntu", "22.04"), "amd64")
    };

    private static final Fabric8Codec CODEC = new Fabric8Codec(new KubernetesSerialization());

    static Rendered onKubernetes(Map<String, Object> config, Map<String, Object> set) {
        return of(KUBERNETES, config, set, USUAL_NODES);
    }

    static Rendered onOpenShift() {
        return of(OPENSHIFT, Map.of(), USUAL_SET, USUAL_NODES);
    }

    static Rendered of(Set<String> served, Map<String, Object> config, Map<String, Object> set, ObservedNode... nodes) {
        ClusterFacts cluster = ClusterFacts.builder().addAllServedKinds(served).build();
        RecipeResolver resolver = new RecipeResolver(Plugins.of(new SimpleKmodPlugin()), PluginGuard.direct());
        RecipeResolver.Resolution resolution = resolver.resolve(new RecipeContext(resource(config, set), cluster));
        return new Rendered(new Renderer(CODEC)
                .render(
                        Objects.requireNonNull(
                                resolution.recipe(), resolution.problems().toString()),
                        "drivers",
                        Pools.group(List.of(nodes), facts -> Map.of())));
    }

    private static SpecialResource resource(Map<String, Object> config, Map<String, Object> set) {
        GitSource git = new GitSource();
        git.setUri("https://git.example.com/simple-kmod.git");
        git.setRef("main");
        DriverSource source = new DriverSource();
        source.setGit(git);
        DriverContainer container = new DriverContainer();
        container.setSource(source);
        PluginReference plugin = new PluginReference();
        plugin.setName("simple-kmod");
        plugin.setConfig(config);
        SpecialResourceSpec spec = new SpecialResourceSpec();
        spec.setPlugin(plugin);
        spec.setDriverContainer(container);
        spec.setSet(set);
        SpecialResource resource = new SpecialResource();
        resource.setMetadata(
                new ObjectMetaBuilder().withName("simple-kmod").withUid("u-1").build());
        resource.setSpec(spec);
        return resource;
    }

    static ObservedNode node(String name, String kernel, OsRelease os, String architecture) {
        NodeFacts facts = NodeFacts.builder()
                .name(name)
                .kernel(new KernelVersion(kernel))
                .os(os)
                .architecture(architecture)
                .ready(true)
                .unschedulable(false)
                .bootId("")
                .build();
        return new ObservedNode(facts, "uid-" + name, Map.of());
    }

    /** {@code Kind name} of every object, shared ones once, in the order of states. */
    List<String> names() {
        return objects()
                .map(object -> object.ref().kind() + " " + object.ref().name())
                .toList();
    }

    /** The only object with this kind and name. */
    KubeObject get(String kind, String name) {
        List<KubeObject> found = objects()
                .filter(object ->
                        object.ref().kind().equals(kind) && object.ref().name().equals(name))
                .toList();
        if (found.size() != 1) {
            throw new AssertionError(kind + " " + name + " is there " + found.size() + " times in " + names());
        }
        return found.get(0);
    }

    Stream<KubeObject> objects() {
        return states.stream()
                .flatMap(state -> Stream.concat(
                        state.shared().stream(),
                        state.byPool().entrySet().stream()
                                .sorted(Map.Entry.comparingByKey())
                                .flatMap(pool -> pool.getValue().stream())))
                .map(Desired::object);
    }
}
