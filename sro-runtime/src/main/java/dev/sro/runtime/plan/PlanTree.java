package dev.sro.runtime.plan;

import dev.sro.api.Outcome;
import dev.sro.api.Pool;
import dev.sro.api.Problem;
import dev.sro.core.manifest.OptionalKinds;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.plan.StateReport;
import dev.sro.runtime.plan.PlanReport.Step;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A plan for a program: maps and lists, to be written as JSON or YAML. Stateless. */
final class PlanTree {

    private PlanTree() {}

    /** @param fix the command that grants what a recipe needs */
    static Map<String, Object> build(PlanReport report, String fix, boolean manifests) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("specialResource", report.name());
        tree.put("recipe", report.recipe());
        tree.put("namespace", report.namespace());
        tree.put("problems", report.problems().stream().map(PlanTree::problem).toList());
        Map<String, Object> nodeProblems = new LinkedHashMap<>();
        report.nodeProblems().forEach((node, problem) -> nodeProblems.put(node, problem(problem)));
        tree.put("nodeProblems", nodeProblems);
        tree.put("pools", report.pools().stream().map(PlanTree::pool).toList());
        if (!report.idle().isEmpty()) {
            tree.put("idle", report.idle());
        }
        tree.put("states", report.states().stream().map(PlanTree::state).toList());
        tree.put(
                "steps",
                report.steps().stream().map(step -> step(step, manifests)).toList());
        if (!report.skipped().isEmpty()) {
            tree.put("skipped", report.skipped().stream().map(PlanTree::skipped).toList());
        }
        if (!report.unshown().isEmpty()) {
            tree.put(
                    "notShown", report.unshown().stream().map(PlanTree::unshown).toList());
        }
        AccessTree.put(tree, report, fix);
        return tree;
    }

    private static Map<String, Object> unshown(UnshownObjects unshown) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("state", unshown.state());
        put(tree, "pool", unshown.pool());
        tree.put("reason", unshown.waiting().reason());
        tree.put("waitsFor", unshown.waiting().on());
        put(tree, "how", unshown.how());
        return tree;
    }

    private static Map<String, Object> skipped(OptionalKinds.Skipped skipped) {
        Map<String, Object> tree = new LinkedHashMap<>();
        ObjectRef object = skipped.desired().object().ref();
        tree.put("reason", "OptionalKindNotServed");
        tree.put("state", skipped.desired().state());
        tree.put("apiVersion", object.apiVersion());
        tree.put("kind", object.kind());
        put(tree, "namespace", object.namespace());
        tree.put("name", object.name());
        return tree;
    }

    private static Map<String, Object> problem(Problem problem) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("code", problem.code());
        tree.put("owner", problem.owner().name().toLowerCase(Locale.ROOT));
        tree.put("message", problem.message());
        return tree;
    }

    private static Map<String, Object> pool(Pool pool) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("name", pool.name());
        tree.put("kernel", pool.kernel().raw());
        tree.put("os", pool.os().toString());
        tree.put("architecture", pool.architecture());
        tree.put("nodes", pool.nodes());
        return tree;
    }

    private static Map<String, Object> state(StateReport state) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("name", state.state());
        outcome(tree, state.outcome());
        return tree;
    }

    private static void outcome(Map<String, Object> tree, Outcome outcome) {
        if (outcome instanceof Outcome.Waiting waiting) {
            tree.put("outcome", "Waiting");
            tree.put("reason", waiting.reason());
            tree.put("message", waiting.on());
        } else if (outcome instanceof Outcome.Failed failed) {
            tree.put("outcome", "Failed");
            tree.put("reason", failed.problem().code());
            tree.put("message", failed.problem().message());
        } else {
            tree.put("outcome", "Ready");
        }
    }

    private static Map<String, Object> step(Step step, boolean manifests) {
        Map<String, Object> tree = new LinkedHashMap<>();
        ObjectRef object = step.object();
        tree.put("action", step.action().name().toLowerCase(Locale.ROOT));
        tree.put("when", step.isNow() ? "now" : "later");
        put(tree, "after", step.after());
        put(tree, "state", step.state());
        put(tree, "pool", step.pool());
        tree.put("apiVersion", object.apiVersion());
        tree.put("kind", object.kind());
        put(tree, "namespace", object.namespace());
        tree.put("name", object.name());
        put(tree, "why", step.why());
        if (manifests && step.manifest() != null) {
            tree.put("manifest", step.manifest().tree());
        }
        return tree;
    }

    private static void put(Map<String, Object> tree, String key, String value) {
        if (!value.isEmpty()) {
            tree.put(key, value);
        }
    }

    /** A list of plans, as Kubernetes tools print lists; one plan stands alone. */
    static Object all(List<Map<String, Object>> plans) {
        return plans.size() == 1 ? plans.get(0) : plans;
    }
}
