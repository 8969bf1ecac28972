package dev.sro.runtime.plan;

import dev.sro.api.Outcome;
import dev.sro.api.Pool;
import dev.sro.api.Problem;
import dev.sro.core.plan.Dependency;
import dev.sro.core.plan.StateReport;
import dev.sro.runtime.SafeOutput;
import dev.sro.runtime.Screen;
import dev.sro.runtime.plan.PlanReport.Action;
import dev.sro.runtime.plan.PlanReport.Step;
import dev.sro.runtime.plan.access.Lack;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/** A plan for a person. Confined to one thread. */
final class PlanText {

    /** So many node names are printed for a pool. */
    private static final int MAX_NODES = 6;

    private final PlanReport report;
    private final String fix;
    private final PrintWriter out;
    private final Screen screen = new Screen();

    /** @param fix the command that grants what a recipe needs */
    PlanText(PlanReport report, String fix, PrintWriter out) {
        this.report = report;
        this.fix = fix;
        this.out = SafeOutput.messages(out);
    }

    void print() {
        int served =
                report.pools().stream().mapToInt(pool -> pool.nodes().size()).sum();
        out.println(report.kind() + " " + report.name() + ": " + report.recipe() + ", namespace " + report.namespace());
        report.problems().forEach(problem -> out.println("  ! " + screen.cut(text(problem))));
        report.nodeProblems()
                .forEach((node, problem) -> out.println("  ! node " + node + ": " + screen.cut(text(problem))));
        if (report.problems().isEmpty()) {
            out.println(
                    "  serves " + nodes(served) + " in " + count(report.pools().size(), "pool"));
            report.pools().forEach(pool -> out.println("    " + pool.name() + ": " + names(pool)));
            if (!report.idle().isEmpty()) {
                out.println("  " + report.idle() + ", so there is nothing to do; that is no error");
            }
        }
        steps();
        notShown();
        new AccessText(report, fix, out).print();
        out.println();
        out.println("Now: " + summary(true) + ". Later: " + summary(false) + ".");
    }

    private static String text(Problem problem) {
        return problem.code() + " (" + problem.owner().name().toLowerCase(Locale.ROOT) + "): " + problem.message();
    }

    private static String names(Pool pool) {
        List<String> nodes = pool.nodes();
        String shown = String.join(" ", nodes.subList(0, Math.min(nodes.size(), MAX_NODES)));
        return nodes.size() > MAX_NODES ? shown + " and " + (nodes.size() - MAX_NODES) + " more" : shown;
    }

    private String nodes(int served) {
        return report.nodes().map(all -> served + " of " + count(all, "node")).orElseGet(() -> count(served, "node"));
    }

    private static String count(int n, String what) {
        return n + " " + what + (n == 1 ? "" : "s");
    }

    private String summary(boolean now) {
        return report.count(Action.CREATE, now) + " to create, " + report.count(Action.CHANGE, now) + " to change, "
                + report.count(Action.DELETE, now) + " to delete";
    }

    private void steps() {
        Set<String> states = new LinkedHashSet<>();
        states.add("");
        if (report.steps().stream().anyMatch(step -> step.state().equals(Dependency.STATE))) {
            states.add(Dependency.STATE);
        }
        report.states().forEach(state -> states.add(state.state()));
        new TreeSet<>(report.steps().stream().map(Step::state).toList()).forEach(states::add);
        for (String state : states) {
            List<Step> ofState = report.steps().stream()
                    .filter(step -> step.state().equals(state))
                    .toList();
            Set<String> waits = new TreeSet<>(ofState.stream().map(Step::after).toList());
            String common = waits.size() == 1 ? waits.iterator().next() : "";
            if (!state.isEmpty()) {
                out.println();
                out.println(heading(state) + (common.isEmpty() ? "" : ", later: when " + common));
            } else if (!ofState.isEmpty()) {
                out.println();
                out.println("Before all states");
            }
            pools(ofState, common);
            report.unshown().stream()
                    .filter(unshown -> unshown.state().equals(state))
                    .forEach(unshown -> out.println("  ? "
                            + (unshown.pool().isEmpty() ? "" : "pool " + unshown.pool() + ": ")
                            + "not shown, as it waits: " + screen.cut(unshown.why())));
            report.skipped().stream()
                    .filter(skipped -> skipped.desired().state().equals(state))
                    .forEach(skipped ->
                            out.println("  ? " + skipped.desired().object().ref()
                                    + "   (skipped: the cluster does not serve " + skipped.kind() + ")"));
        }
    }

    private void notShown() {
        Set<String> states = new LinkedHashSet<>();
        Set<String> hows = new TreeSet<>();
        for (UnshownObjects unshown : report.unshown()) {
            states.add(unshown.state());
            hows.add(unshown.how());
        }
        hows.remove("");
        if (!states.isEmpty()) {
            out.println();
            out.println("Not shown, or not in all pools: " + String.join(", ", states) + ".");
            hows.forEach(how -> out.println("To have it shown: " + how + "."));
        }
    }

    private String heading(String state) {
        if (state.equals(Dependency.STATE)) {
            return "Dependencies, before all states: special resources of their own";
        }
        return report.states().stream()
                .filter(known -> known.state().equals(state))
                .findFirst()
                .map(this::heading)
                .orElse("State " + state + " (not in the recipe any more)");
    }

    private String heading(StateReport state) {
        if (state.outcome().isReady()) {
            return "State " + state.state() + ": ready";
        }
        if (state.outcome() instanceof Outcome.Failed failed) {
            return "State " + state.state() + ": failed, " + screen.cut(text(failed.problem()));
        }
        return "State " + state.state();
    }

    private void pools(List<Step> steps, String alreadySaid) {
        List<String> pools =
                new ArrayList<>(new TreeSet<>(steps.stream().map(Step::pool).toList()));
        for (String pool : pools) {
            List<Step> inPool =
                    steps.stream().filter(step -> step.pool().equals(pool)).toList();
            String indent = "  ";
            if (!pool.isEmpty()) {
                out.println("  pool " + pool);
                indent = "    ";
            }
            String after = alreadySaid;
            for (Step step : inPool) {
                if (!Objects.equals(step.after(), after)) {
                    after = step.after();
                    out.println(indent + (after.isEmpty() ? "now:" : "later, when " + after + ":"));
                }
                out.println(indent + step.action().sign() + " " + step.object()
                        + (step.why().isEmpty() ? "" : "   (" + step.why() + ")"));
                for (Lack lack : report.access().of(step.object())) {
                    out.println(indent + "  ! " + screen.cut(AccessText.refusal(lack)));
                }
            }
        }
    }
}
