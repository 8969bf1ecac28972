package dev.sro.runtime.plan;

import dev.sro.api.DeviceMatcher;
import dev.sro.api.NodeFacts;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.engine.trip.Preview;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.model.Specs;
import dev.sro.core.pool.ServedNodes;
import dev.sro.core.recipe.NodeAnswers;
import dev.sro.core.recipe.Recipe;
import dev.sro.core.recipe.RecipeFailure;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Why a special resource serves no node. Stateless. */
final class IdleReason {

    private static final String NO_NODE = "no node matches spec.nodeSelector";

    private IdleReason() {}

    /**
     * The one thing that keeps all nodes out, for a sentence that goes on; empty where some are served, or a problem says more.
     *
     * @param nodes all that are known
     */
    static String of(SpecialResource resource, Preview preview, Collection<ObservedNode> nodes) {
        if (!preview.plan().pools().isEmpty() || !preview.plan().problems().isEmpty()) {
            return "";
        }
        Map<String, String> selector = Specs.of(resource).getNodeSelector();
        List<NodeFacts> selected = nodes.stream()
                .map(ObservedNode::facts)
                .filter(node -> ServedNodes.matches(node, selector))
                .toList();
        if (selected.isEmpty() || preview.recipe().isEmpty()) {
            return NO_NODE;
        }
        String match = selected.size() == 1
                ? "1 node matches spec.nodeSelector"
                : selected.size() + " nodes match spec.nodeSelector";
        return match + ", " + among(preview.recipe().get(), selected);
    }

    private static String among(Recipe recipe, List<NodeFacts> selected) {
        Collection<NodeAnswers> answers;
        try {
            answers = recipe.answers(selected).values();
        } catch (RecipeFailure e) {
            return "and plugin " + recipe.label() + " could not be asked about them";
        }
        boolean here = answers.stream().anyMatch(said -> said.presence() == DeviceMatcher.Presence.PRESENT);
        if (here) {
            return "and taints keep the operands off; let the recipe tolerate them";
        }
        boolean known = answers.stream().allMatch(said -> said.presence() == DeviceMatcher.Presence.ABSENT);
        return known
                ? "and plugin " + recipe.label() + " finds its device on none of them"
                : "and plugin " + recipe.label() + " cannot tell yet whether its device is there";
    }
}
