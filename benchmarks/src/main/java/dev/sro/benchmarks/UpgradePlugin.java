package dev.sro.benchmarks;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.ManifestTemplate;
import dev.sro.api.PluginDescriptor;
import dev.sro.api.Reach;
import dev.sro.api.RecipeContext;
import dev.sro.api.State;
import dev.sro.api.StateGraph;
import dev.sro.api.operation.PodUse;
import dev.sro.api.operation.UpgradePolicy;
import dev.sro.api.operation.UpgradeStrategy;
import java.util.List;

/** A driver that SRO upgrades node by node, and a validation of it on every node. */
record UpgradePlugin() implements AcceleratorPlugin, UpgradePolicy {

    private static final String DAEMON_SET = """
        apiVersion: apps/v1
        kind: DaemonSet
        metadata:
          name: ${name}-%1$s
          annotations: {specialresource.openshift.io/kernel-affine: "true"}
        spec:
          template:
            metadata:
              annotations: {%3$s}
            spec:
              containers:
              - {name: main, image: "registry.example/%1$s:%2$s"}
        """;

    /**
     * A special resource for it on nodes with the label example.com/device=true.
     *
     * @param version of the driver
     * @param policy {@code spec.upgradePolicy}, in YAML's flow style
     */
    static String resource(String version, String policy) {
        return """
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: fleet}
            spec:
              namespace: fleet
              plugin: {name: upgraded}
              nodeSelector: {example.com/device: "true"}
              set: {apiVersion: sro.openshift.io/v1beta1, kind: Values, version: "%s"}
              upgradePolicy: %s
            """.formatted(version, policy);
    }

    @Override
    public PluginDescriptor descriptor() {
        return PluginDescriptor.of("upgraded", "1.0.0", "Example");
    }

    @Override
    public StateGraph states(RecipeContext context) {
        String version = "${specialresource.spec.set.version}";
        String digest = "sro.dev/driver-digest: \"" + version + "\"";
        return StateGraph.chain(
                state("1000-driver", DAEMON_SET.formatted("driver", version, digest)),
                state("2000-validation", DAEMON_SET.formatted("validation", "1", "")));
    }

    private static State state(String id, String manifest) {
        return State.builder()
                .id(id)
                .reach(Reach.nodeByNode())
                .addManifests(ManifestTemplate.text(id + ".yaml", manifest))
                .build();
    }

    @Override
    public UpgradeStrategy upgradeStrategy(RecipeContext context) {
        return UpgradeStrategy.builder()
                .validateBefore(List.of("2000-validation"))
                .build();
    }

    @Override
    public boolean usesDevice(PodUse pod) {
        return pod.resources().containsKey("example.com/gpu");
    }
}
