package dev.sro.plugins.simplekmod;

import dev.sro.api.ClusterFacts;
import dev.sro.api.KernelVersion;
import dev.sro.api.NodeFacts;
import dev.sro.api.OsRelease;
import dev.sro.api.Problem;
import dev.sro.api.RecipeContext;
import dev.sro.api.resource.DriverContainer;
import dev.sro.api.resource.DriverSource;
import dev.sro.api.resource.GitSource;
import dev.sro.api.resource.PluginReference;
import dev.sro.api.resource.SpecialResource;
import dev.sro.api.resource.SpecialResourceSpec;
import dev.sro.testkit.contract.RenderedPlugin;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/** Renders the plugin for the nodes and clusters of its tests. */
final class Kmod {

    static final Map<String, Object> USUAL_SET = Map.of(
            "kmodNames",
            List.of("simple-kmod", "simple-procfs-kmod"),
            "buildArgs",
            List.of(Map.of("name", "KMODVER", "value", "SRO")));

    private static final Map<String, Object> EVERYTHING =
            Map.of("after", List.of("network-driver"), "proveOn", Map.of("example.com/canary", "true"), "alerts", true);

    static final Set<String> KUBERNETES = Set.of("batch/v1/Job", "apps/v1/DaemonSet");

    static final Set<String> OPENSHIFT = Set.of("build.openshift.io/v1/BuildConfig", "apps/v1/DaemonSet");

    private static final NodeFacts[] USUAL_NODES = {
        node("a", "5.14.0-427.50.1.el9_4.x86_64", new OsRelease("rhel", "9.4"), "amd64"),
        node("b", "5.15.0-91-generic+", new OsRelease("ubuntu", "22.04"), "amd64")
    };

    private Kmod() {}

    static RenderedPlugin onKubernetes(Map<String, Object> config, Map<String, Object> set) {
        return of(KUBERNETES, config, set, USUAL_NODES);
    }

    /** With all settings that are off unless somebody asks. */
    static RecipeContext everything() {
        return new RecipeContext(
                resource(EVERYTHING, USUAL_SET),
                ClusterFacts.builder().addAllServedKinds(KUBERNETES).build());
    }

    /** The same on a cluster that has the kinds of the operator of Prometheus. */
    static RenderedPlugin withEverything() {
        Set<String> served = new TreeSet<>(KUBERNETES);
        served.add("monitoring.coreos.com/v1/PrometheusRule");
        return of(served, EVERYTHING, USUAL_SET, USUAL_NODES);
    }

    static RenderedPlugin onOpenShift() {
        return of(OPENSHIFT, Map.of(), USUAL_SET, USUAL_NODES);
    }

    static RenderedPlugin of(
            Set<String> served, Map<String, Object> config, Map<String, Object> set, NodeFacts... nodes) {
        return RenderedPlugin.of(
                new SimpleKmodPlugin(),
                resource(config, set),
                ClusterFacts.builder().addAllServedKinds(served).build(),
                List.of(nodes));
    }

    /** On OpenShift whose driver toolkits are known, by kernel. */
    static RenderedPlugin withToolkits(Map<String, String> kernels, NodeFacts... nodes) {
        return RenderedPlugin.of(
                new SimpleKmodPlugin(),
                resource(Map.of(), USUAL_SET),
                ClusterFacts.builder()
                        .addAllServedKinds(OPENSHIFT)
                        .putDriverToolkits("latest", "quay.example/dtk:latest")
                        .putAllDriverToolkitKernels(kernels)
                        .build(),
                List.of(nodes));
    }

    /** What is said of a special resource that does not name the source of the modules. */
    static List<String> problemsWithoutSource() {
        SpecialResource resource = resource(Map.of(), USUAL_SET);
        Objects.requireNonNull(resource.getSpec()).setDriverContainer(null);
        return RenderedPlugin.of(
                        new SimpleKmodPlugin(),
                        resource,
                        ClusterFacts.builder().addAllServedKinds(KUBERNETES).build(),
                        List.of(USUAL_NODES))
                .problems()
                .stream()
                .map(Problem::message)
                .toList();
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
        spec.setNamespace("drivers");
        spec.setPlugin(plugin);
        spec.setDriverContainer(container);
        spec.setSet(set);
        SpecialResource resource = new SpecialResource();
        resource.setMetadata(new ObjectMetaBuilder().withName("simple-kmod").build());
        resource.setSpec(spec);
        return resource;
    }

    static NodeFacts node(String name, String kernel, OsRelease os, String architecture) {
        return NodeFacts.builder()
                .name(name)
                .kernel(new KernelVersion(kernel))
                .os(os)
                .architecture(architecture)
                .ready(true)
                .unschedulable(false)
                .bootId("")
                .build();
    }
}
