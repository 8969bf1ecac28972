package dev.sro.runtime.demo;

import dev.sro.core.plan.Plan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** Words and tables that several views print. Stateless. */
final class DemoTables {

    private DemoTables() {}

    /** {@code 12.3s}. */
    static String seconds(Duration time) {
        return String.format(Locale.ROOT, "%.1fs", time.toMillis() / 1000.0);
    }

    /**
     * What keeps a special resource from being done: its problems, those of nodes, and outcomes that are not Ready.
     *
     * @param state the line of its status; may be empty
     */
    static String unfinished(Plan plan, String state) {
        Set<String> reasons = new LinkedHashSet<>();
        plan.problems().forEach(problem -> reasons.add(problem.code() + ": " + problem.message()));
        plan.nodeProblems().forEach((node, problem) -> reasons.add(problem.code() + ": " + problem.message()));
        Change.all(plan).values().stream()
                .filter(change -> !change.kind().equals("Ready"))
                .forEach(change -> reasons.add(change.reason() + ": " + change.message()));
        String said = "the status says: " + (state.isEmpty() ? "nothing" : state);
        return reasons.isEmpty() ? said + "; all states are ready" : said + "; " + String.join("; ", reasons);
    }

    /** The checks of a phase, one line each. */
    static List<String> checks(PhaseResult result) {
        return result.checks().stream()
                .map(check ->
                        check.ok() ? "ok      " + check.text() : "FAILED  " + check.text() + ": " + check.detail())
                .toList();
    }

    /** The table at the end. */
    static List<String> table(List<PhaseResult> results) {
        TreeSet<String> verbs = new TreeSet<>();
        results.forEach(result -> verbs.addAll(result.requests().keySet()));
        List<String> lines = new ArrayList<>();
        StringBuilder head = new StringBuilder(String.format(Locale.ROOT, "%-13s%8s", "phase", "objects"));
        verbs.forEach(verb -> head.append(String.format(Locale.ROOT, "%7s", verb)));
        lines.add(head + String.format(Locale.ROOT, "%8s%8s%9s", "all", "time", "cluster"));
        for (PhaseResult result : results) {
            StringBuilder line = new StringBuilder(String.format(
                    Locale.ROOT,
                    "%-13s%8d",
                    result.phase().name(),
                    result.objects().size()));
            verbs.forEach(verb -> line.append(
                    String.format(Locale.ROOT, "%7d", result.requests().getOrDefault(verb, 0L))));
            line.append(String.format(
                    Locale.ROOT,
                    "%8d%8s%9s",
                    result.total(),
                    seconds(result.wallTime()),
                    seconds(result.clusterTime())));
            lines.add(line.toString());
        }
        return lines;
    }

    /** What the table's columns mean. */
    static final String LEGEND =
            "objects written by SRO, API requests by SRO per verb, time that passed here and in the cluster";
}
