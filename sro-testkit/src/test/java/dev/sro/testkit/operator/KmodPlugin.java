package dev.sro.testkit.operator;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.ManifestTemplate;
import dev.sro.api.PluginDescriptor;
import dev.sro.api.Reach;
import dev.sro.api.RecipeContext;
import dev.sro.api.State;
import dev.sro.api.StateGraph;

/** The smallest recipe with all that matters: a build per kernel, a driver and a validation per node. */
public final class KmodPlugin implements AcceleratorPlugin {

    /** A special resource for it, on nodes with the label example.com/device=true. */
    public static final String RESOURCE = """
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: kmod}
            spec:
              namespace: kmod
              plugin: {name: kmod}
              nodeSelector: {example.com/device: "true"}
            """;

    private static final String BUILD = """
            apiVersion: batch/v1
            kind: Job
            metadata:
              name: ${name}-build
              annotations: {specialresource.openshift.io/kernel-affine: "true"}
            spec:
              template:
                spec:
                  restartPolicy: Never
                  containers:
                  - name: build
                    image: registry.example/builder:1
                    args: ["--output", "type=image,name=registry.example/kmod:v${kernelNormalizedVersion},push=true"]
            """;

    private static final String LOAD = """
            apiVersion: v1
            kind: ServiceAccount
            metadata: {name: "${name}-driver"}
            ---
            apiVersion: apps/v1
            kind: DaemonSet
            metadata:
              name: ${name}-driver
              annotations: {specialresource.openshift.io/kernel-affine: "true"}
            spec:
              template:
                spec:
                  serviceAccountName: ${name}-driver
                  containers:
                  - name: driver
                    image: registry.example/kmod:v${kernelNormalizedVersion}
            """;

    private static final String VALIDATE = """
            apiVersion: apps/v1
            kind: DaemonSet
            metadata:
              name: ${name}-validation
              annotations: {specialresource.openshift.io/kernel-affine: "true"}
            spec:
              template:
                spec:
                  containers:
                  - name: validate
                    image: registry.example/validate:1
            """;

    @Override
    public PluginDescriptor descriptor() {
        return PluginDescriptor.of("kmod", "1.0.0", "Example");
    }

    @Override
    public StateGraph states(RecipeContext context) {
        return StateGraph.chain(
                State.of("0000-build", ManifestTemplate.text("build.yaml", BUILD)),
                State.builder()
                        .id("1000-driver")
                        .reach(Reach.nodeByNode())
                        .addManifests(ManifestTemplate.text("load.yaml", LOAD))
                        .build(),
                State.builder()
                        .id("2000-validation")
                        .reach(Reach.nodeByNode())
                        .addManifests(ManifestTemplate.text("validate.yaml", VALIDATE))
                        .build());
    }
}
