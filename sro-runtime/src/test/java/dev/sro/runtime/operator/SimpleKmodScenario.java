package dev.sro.runtime.operator;

import dev.sro.runtime.Cli;
import dev.sro.runtime.ServiceAccountConfig;
import dev.sro.testkit.controlplane.RealCluster;
import dev.sro.testkit.node.NodeCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The plugin simple-kmod on real nodes. Stateless. */
final class SimpleKmodScenario {
    /** Of the special resource, and of its namespace. */
    static final String NAME = "simple-kmod";

    /** That it loads. */
    static final List<String> MODULES = List.of("simple_kmod", "simple_procfs_kmod");

    private static final String OURS = "example.com/accelerator";
    private static final List<String> SOURCES = List.of("Makefile", "simple-kmod.c", "simple-procfs-kmod.c");

    private SimpleKmodScenario() {}

    /** Of an operator with the plugin and the rights that {@code sro rbac} gives it. */
    static OperatorSettings settings(RealCluster cluster, Path folder) throws IOException {
        Path plugins = Cli.plugins(Files.createDirectories(folder.resolve("plugins")));
        ClusterSettings.install(cluster, plugins);
        return ClusterSettings.of(
                ServiceAccountConfig.write(cluster, cluster.namespace(), folder.resolve("kubeconfig")),
                plugins,
                Optional.empty(),
                Optional.empty());
    }

    /** Labels of nodes that are added from now on. */
    static void label(NodeCluster nodes) {
        nodes.label(OURS, "simple");
        // The plugin's recipe has a stage for Debian, too; this is what ran by hand, with an image of that name made of
        // Debian's packages.
        nodes.label("feature.node.kubernetes.io/system-os_release.ID", "ubuntu");
        nodes.label("feature.node.kubernetes.io/system-os_release.VERSION_ID", "24.04");
        nodes.label("feature.node.kubernetes.io/system-os_release.VERSION_ID.major", "24");
        nodes.label("feature.node.kubernetes.io/system-os_release.VERSION_ID.minor", "04");
    }

    /** Those of the modules. */
    static Map<String, String> sources() throws IOException {
        return NodeScenario.sources(NAME, SOURCES);
    }

    /** Images come from the registry of the machines, as in a cluster without a way to the internet. */
    static void apply(RealCluster cluster, String sources, String registry) {
        NodeScenario.apply(cluster, """
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: %1$s, annotations: {sro.dev/image-mirrors: "docker.io=%4$s"}}
            spec:
              namespace: %1$s
              plugin: {name: simple-kmod}
              nodeSelector: {%2$s: simple}
              set:
                apiVersion: sro.openshift.io/v1beta1
                kind: Values
                kmodNames: [simple-kmod, simple-procfs-kmod]
              driverContainer: {source: {git: {ref: main, uri: "%3$s"}}}
            """.formatted(NAME, OURS, sources, registry));
    }

    /** Deletes it, and waits until its namespace is gone, too. */
    static void remove(RealCluster cluster) {
        NodeScenario.delete(cluster, NAME);
        NodeScenario.awaitGone(cluster, NAME);
        cluster.await(
                "its namespace is gone",
                NodeScenario.REMOVAL,
                () -> cluster.client().namespaces().withName(NAME).get() == null);
    }
}
