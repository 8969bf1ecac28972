package dev.sro.plugins.solarflare;

import dev.sro.api.ClusterFacts;
import dev.sro.api.KernelVersion;
import dev.sro.api.NodeFacts;
import dev.sro.api.Pool;
import dev.sro.api.RecipeContext;
import dev.sro.api.resource.SpecialResource;
import dev.sro.testkit.contract.ContractProfile;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What the tests have in common. Stateless. */
final class Onload {

    static final String RESOURCE = resource("9.0.1", "");

    /** The smallest settings. */
    static final String MINIMUM = """
        onload:
          userImage: registry.example/user:1
          kernelMappings: [{literal: 5.14.0-427.50.1.el9_4.x86_64, kernelModuleImage: "registry.example/module:${KERNEL_XYZ}"}]
        devicePlugin: {devicePluginImage: "registry.example/device-plugin:3"}
        """;

    /** Special resources that use the plugin in all ways, by name. */
    static final Map<String, SpecialResource> PROFILES = new TreeMap<>(Map.of(
            "usual",
            context(RESOURCE).specialResource(),
            "everything",
            context(resource("9.0.1", """
                ptp: {image: "registry.example/sfptpd:3.7", config: "[general]\\nsync_module freerun fr1\\n"}
                profiles:
                - {name: latency}
                - {name: wide, namespaces: [trading, risk], environment: {EF_TCP_INITIAL_CWND: 100000, EF_LOG_FILE: "${HOME}/log"}}
                decorator: {devices: [/dev/sfc_affinity], libraries: [/opt/onload/usr/lib64/libcitransport0.so]}
                """)).specialResource(),
            "files-in-the-modules",
            settings("""
                onload:
                  kernelMappings: [{regexp: '.', kernelModuleImage: "registry.example/module:1", sfc: {}}]
                devicePlugin:
                  devicePluginImage: registry.example/device-plugin:3
                  resourceName: example.com/onload
                  setPreload: false
                  mountOnload: true
                  hostOnloadPath: /var/lib/onload
                  maxPodsPerNode: 7
                cdi: false
                nodeFeatureRule: false
                """).specialResource()));

    static final NodeFacts NODE = NodeFacts.builder()
            .name("a")
            .kernel(new KernelVersion("5.14.0-427.50.1.el9_4.x86_64+"))
            .os(new dev.sro.api.OsRelease("rhel", "9.4"))
            .architecture("amd64")
            .build();

    private static final String NFD = "nfd.k8s-sigs.io/v1alpha1/NodeFeatureRule";

    private Onload() {}

    /** With the modules and the files of this version, and more settings. */
    static String resource(String version, String more) {
        return """
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: onload}
            spec:
              namespace: onload
              upgradePolicy: {autoUpgrade: true, maxUnavailable: 100%%}
              plugin:
                name: solarflare-onload
                config:
                  onload:
                    version: %1$s
                    userImage: registry.example/onload/user:%1$s
                    kernelMappings:
                    - regexp: '^.*$'
                      kernelModuleImage: registry.example/onload/module:%1$s-${KERNEL_FULL_VERSION}
                      sfc: {}
                  devicePlugin:
                    devicePluginImage: registry.example/onload/device-plugin:3.0.0
            %2$s\
            """.formatted(version, more.indent(6));
    }

    /** The configurations that together need all rights of the plugin. */
    static List<ContractProfile> profiles() {
        String optional = resource("9.0.1", """
            ptp: {image: "registry.example/sfptpd:3.7", config: "[general]\\nsync_module freerun fr1\\n"}
            profiles: [{name: latency, environment: {EF_POLL_USEC: "100000"}}]
            """);
        return List.of(
                ContractProfile.of("everything optional", optional, Map.of("a", node(OsRelease.RHEL_9)))
                        .prepared(sandbox -> sandbox.serve(
                                "nfd.k8s-sigs.io", "v1alpha1", "NodeFeatureRule", "nodefeaturerules", false)),
                ContractProfile.of("OpenShift", RESOURCE, Map.of("a", node(OsRelease.RHCOS_9)))
                        .onOpenShift());
    }

    static RecipeContext context(String resource) {
        return new RecipeContext(
                new KubernetesSerialization().unmarshal(resource, SpecialResource.class),
                ClusterFacts.builder().build());
    }

    /** With these settings alone. */
    static RecipeContext settings(String config) {
        return context("""
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: onload}
            spec:
              namespace: onload
              plugin:
                name: solarflare-onload
                config:
            """ + config.indent(6));
    }

    static ClusterFacts cluster(boolean openShift) {
        ClusterFacts.Builder cluster =
                ClusterFacts.builder().addServedKinds(NFD).addClusterScopedKinds(NFD);
        if (openShift) {
            cluster.addServedKinds("config.openshift.io/v1/ClusterVersion");
        }
        return cluster.build();
    }

    static Pool pool() {
        return new Pool(
                "p", "0123456789abcdef", NODE.kernel(), NODE.os(), NODE.architecture(), new TreeMap<>(), List.of());
    }

    /** A node with an adapter. */
    static NodeProfile node(OsRelease os) {
        return NodeProfile.of(os).withPci("0200", "1924", "0b03").withResource("amd.com/onload", "100");
    }

    /** The CRDs of other projects, where the corpus is at hand. */
    static Optional<Path> crds() {
        return Optional.ofNullable(System.getenv("SRO_CORPUS")).map(corpus -> Path.of(corpus, "crds"));
    }
}
