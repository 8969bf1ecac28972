package dev.sro.testkit.operator;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.ConflictRule;
import dev.sro.api.ManifestTemplate;
import dev.sro.api.NodeFacts;
import dev.sro.api.PluginDescriptor;
import dev.sro.api.Problem;
import dev.sro.api.Reach;
import dev.sro.api.RecipeContext;
import dev.sro.api.State;
import dev.sro.api.StateGraph;
import java.util.Optional;

/** Shares nodes with nobody, unless the node has the label acme.example/shared. */
public final class JealousPlugin implements AcceleratorPlugin, ConflictRule {

    private static final String SHARED = "acme.example/shared";

    private final String name;

    /** With a name of its own. */
    public JealousPlugin(String name) {
        this.name = name;
    }

    @Override
    public PluginDescriptor descriptor() {
        return PluginDescriptor.of(name, "1.0.0", "Acme");
    }

    @Override
    public StateGraph states(RecipeContext context) {
        return StateGraph.chain(State.builder()
                .id("1000-driver")
                .reach(Reach.nodeByNode())
                .addManifests(ManifestTemplate.text("driver.yaml", """
                    apiVersion: apps/v1
                    kind: DaemonSet
                    metadata: {name: driver, annotations: {specialresource.openshift.io/kernel-affine: "true"}}
                    spec:
                      selector: {matchLabels: {app: driver}}
                      template:
                        metadata: {labels: {app: driver}}
                        spec: {containers: [{name: driver, image: "registry.example/driver:1"}]}
                    """))
                .build());
    }

    @Override
    public Optional<Problem> conflict(RecipeContext mine, RecipeContext other, NodeFacts node) {
        return node.labels().containsKey(SHARED)
                ? Optional.empty()
                : Optional.of(Problem.user(
                        "AcmeConflict",
                        mine.name() + " shares node " + node.name() + " with " + other.name() + "; label it "
                                + SHARED));
    }
}
