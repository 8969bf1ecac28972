package dev.sro.runtime.demo;

import dev.sro.api.Outcome;
import dev.sro.api.Pool;
import dev.sro.core.plan.Plan;
import dev.sro.core.plan.PoolReport;
import dev.sro.core.plan.StateReport;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * States, pools and nodes as a table that is redrawn in place, on a terminal of 80 columns and 24 rows. Confined to one
 * thread.
 */
final class LiveView implements DemoView {

    private static final int WIDTH = 79;
    private static final int NAME_WIDTH = 43;
    private static final int CELL_WIDTH = 12;

    /** So many lines say what is waited for. */
    private static final int MAX_WAITS = 4;

    private static final Map<String, String> COLORS = Map.of("Ready", "32", "Waiting", "33", "Failed", "31");

    private final PrintWriter out;
    private final boolean colors;
    private int drawn;
    private List<String> last = List.of();

    /**
     * @param colors whether colours are wanted
     */
    LiveView(PrintWriter out, boolean colors) {
        this.out = out;
        this.colors = colors;
    }

    @Override
    public void begins(Phase phase) {
        drawn = 0;
        last = List.of();
        out.println();
        out.println(paint("1", cut(phase.number() + "/" + phase.of() + " " + phase.title())));
    }

    @Override
    public void update(Duration since, Plan plan) {
        List<String> lines = plan.states().isEmpty() ? leaving(plan) : table(plan);
        if (lines.equals(last)) {
            return;
        }
        last = lines;
        erase();
        out.println("  in the cluster " + Texts.seconds(since) + " passed");
        lines.forEach(out::println);
        drawn = lines.size() + 1;
        out.flush();
    }

    private void erase() {
        if (drawn > 0) {
            out.print("\033[" + drawn + "A\033[J");
        }
    }

    private static List<String> leaving(Plan plan) {
        return List.of("  everything is taken away, the last state first" + (plan.done() ? ": done" : ""));
    }

    private List<String> table(Plan plan) {
        List<String> lines = new ArrayList<>();
        StringBuilder head = new StringBuilder(pad("  pool, node", NAME_WIDTH));
        plan.states().forEach(state -> head.append(pad(title(state), CELL_WIDTH)));
        lines.add(paint("4", head.toString()));
        Set<String> waits = new LinkedHashSet<>();
        for (Pool pool : plan.pools()) {
            StringBuilder row = new StringBuilder(pad("  " + pool.name(), NAME_WIDTH));
            for (StateReport state : plan.states()) {
                PoolReport report = state.pools().get(pool.name());
                row.append(report == null ? pad("", CELL_WIDTH) : cell(report));
                wait(state, report, waits);
            }
            lines.add(row.toString());
            pool.nodes().forEach(node -> lines.add(node(plan, pool, node)));
        }
        waits.stream().limit(MAX_WAITS).forEach(wait -> lines.add(cut("  waits: " + wait)));
        return lines;
    }

    private static String title(StateReport state) {
        return state.state().replaceFirst("^[0-9]{4}[-_](driver-)?", "");
    }

    /** What is waited for; not that one state waits for another, which the table shows. */
    private static void wait(StateReport state, @Nullable PoolReport report, Set<String> waits) {
        if (report != null
                && report.outcome() instanceof Outcome.Waiting waiting
                && !waiting.reason().equals("PreviousState")) {
            waits.add(waiting.on());
        } else if (report != null && report.outcome() instanceof Outcome.Failed failed) {
            waits.add(state.state() + ": " + failed.problem().message());
        }
    }

    private String cell(PoolReport report) {
        String kind = Change.kind(report.outcome());
        String counts = report.nodes().isEmpty()
                ? ""
                : " " + report.readyNodes() + "/" + report.nodes().size();
        return paint(COLORS.getOrDefault(kind, "0"), pad(kind + counts, CELL_WIDTH));
    }

    private String node(Plan plan, Pool pool, String node) {
        StringBuilder row = new StringBuilder(pad("    " + node, NAME_WIDTH));
        for (StateReport state : plan.states()) {
            PoolReport report = state.pools().get(pool.name());
            if (report == null || !report.nodes().containsKey(node)) {
                row.append(pad(state.perNode() ? "-" : "", CELL_WIDTH));
            } else {
                String kind = Change.kind(report.nodes().get(node));
                row.append(paint(COLORS.getOrDefault(kind, "0"), pad(kind, CELL_WIDTH)));
            }
        }
        return row.toString();
    }

    private static String pad(String text, int width) {
        return text.length() >= width ? text.substring(0, width - 1) + " " : text + " ".repeat(width - text.length());
    }

    private static String cut(String text) {
        return text.length() <= WIDTH ? text : text.substring(0, WIDTH - 3) + "...";
    }

    private String paint(String color, String text) {
        return colors ? "\033[" + color + "m" + text + "\033[0m" : text;
    }

    @Override
    public void ended(PhaseResult result) {
        Texts.checks(result).forEach(line -> out.println("  " + paint(line.startsWith("ok") ? "32" : "31", line)));
        out.flush();
    }

    @Override
    public void summary(List<PhaseResult> results) {
        out.println();
        Texts.table(results).forEach(out::println);
        out.println("(" + Texts.LEGEND + ")");
        out.flush();
    }

    @Override
    public void say(String message) {
        out.println(message);
        out.flush();
    }
}
