package dev.sro.runtime.demo;

import dev.sro.api.Outcome;
import dev.sro.api.Pool;
import dev.sro.core.plan.Plan;
import dev.sro.core.plan.PoolReport;
import dev.sro.core.plan.StateReport;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A plan as a table for a terminal of 80 columns and 24 rows: a row for each node and a column for each state, or, where that is too
 * large, a row for each state and a column for each pool. Immutable.
 */
final class LiveTable {

    private static final int WIDTH = 79;
    private static final int NAME_WIDTH = 43;
    private static final int CELL_WIDTH = 12;

    /** The terminal's rows less those for the phase, the time, the cursor and an empty one before. */
    private static final int MAX_ROWS = 20;

    /** So many lines say what is waited for. */
    private static final int MAX_WAITS = 4;

    /** As many columns for pools as fit beside the names of states. */
    private static final int MAX_POOLS = (WIDTH - NAME_WIDTH) / CELL_WIDTH;

    private static final Map<String, String> COLORS =
            Map.of(Change.READY, "32", Change.WAITING, "33", Change.FAILED, "31");

    private final boolean colors;

    /**
     * @param colors whether colours are wanted
     */
    LiveTable(boolean colors) {
        this.colors = colors;
    }

    /** The lines of the table and what is waited for. */
    List<String> lines(Plan plan) {
        List<String> lines = new ArrayList<>();
        if (plan.states().isEmpty()) {
            lines.add("  everything is taken away, the last state first" + (plan.done() ? ": done" : ""));
            return lines;
        }
        int nodes =
                plan.pools().stream().mapToInt(pool -> 1 + pool.nodes().size()).sum();
        boolean wide = NAME_WIDTH + CELL_WIDTH * plan.states().size() > WIDTH;
        if (wide || 1 + nodes + MAX_WAITS > MAX_ROWS) {
            byState(plan, lines);
        } else {
            byNode(plan, lines);
        }
        waits(plan).limit(MAX_WAITS).forEach(wait -> lines.add(cut("  waits: " + wait)));
        return lines;
    }

    private void byNode(Plan plan, List<String> lines) {
        StringBuilder head = new StringBuilder(pad("  pool, node", NAME_WIDTH));
        plan.states().forEach(state -> head.append(pad(title(state), CELL_WIDTH)));
        lines.add(paint("4", head.toString()));
        for (Pool pool : plan.pools()) {
            StringBuilder row = new StringBuilder(pad("  " + pool.name(), NAME_WIDTH));
            for (StateReport state : plan.states()) {
                PoolReport report = state.pools().get(pool.name());
                row.append(report == null ? pad("", CELL_WIDTH) : cell(List.of(report)));
            }
            lines.add(row.toString());
            pool.nodes().forEach(node -> lines.add(node(plan, pool, node)));
        }
    }

    private String node(Plan plan, Pool pool, String node) {
        StringBuilder row = new StringBuilder(pad("    " + node, NAME_WIDTH));
        for (StateReport state : plan.states()) {
            PoolReport report = state.pools().get(pool.name());
            if (report == null || !report.nodes().containsKey(node)) {
                row.append(pad(state.perNode() ? "-" : "", CELL_WIDTH));
            } else {
                row.append(painted(Change.kind(report.nodes().get(node)), ""));
            }
        }
        return row.toString();
    }

    /** Pools have a letter each, or one column together. */
    private void byState(Plan plan, List<String> lines) {
        List<Pool> pools = plan.pools();
        boolean together = pools.size() > MAX_POOLS;
        StringBuilder head = new StringBuilder(pad("  state", NAME_WIDTH));
        for (int i = 0; i < pools.size() && !together; i++) {
            char letter = (char) ('A' + i);
            Pool pool = pools.get(i);
            lines.add(cut("  " + letter + " " + pool.name() + ": " + String.join(" ", pool.nodes())));
            head.append(pad("" + letter, CELL_WIDTH));
        }
        lines.add(
                paint("4", together ? head.append(pools.size()).append(" pools").toString() : head.toString()));
        List<StateReport> states = plan.states();
        int room = MAX_ROWS - MAX_WAITS - lines.size();
        int hidden = states.size() > room ? states.size() - room + 1 : 0;
        if (hidden > 0) {
            lines.add("  ... " + hidden + " states before these");
        }
        for (StateReport state : states.subList(hidden, states.size())) {
            StringBuilder row = new StringBuilder(pad("  " + state.state(), NAME_WIDTH));
            boolean anywhere = pools.stream().noneMatch(pool -> state.pools().containsKey(pool.name()));
            if (together || anywhere) {
                row.append(cell(List.copyOf(state.pools().values())));
            } else {
                for (Pool pool : pools) {
                    PoolReport report = state.pools().get(pool.name());
                    row.append(report == null ? pad("", CELL_WIDTH) : cell(List.of(report)));
                }
            }
            lines.add(row.toString());
        }
    }

    private static String title(StateReport state) {
        return state.state().replaceFirst("^[0-9]{4}[-_](driver-)?", "");
    }

    /** What is waited for, and what failed; not that one state waits for another, which the table shows. */
    private static Stream<String> waits(Plan plan) {
        Set<String> failures = new LinkedHashSet<>();
        Set<String> waits = new LinkedHashSet<>();
        for (StateReport state : plan.states()) {
            for (PoolReport report : state.pools().values()) {
                if (report.outcome() instanceof Outcome.Failed failed) {
                    failures.add(state.state() + ": " + failed.problem().message());
                } else if (report.outcome() instanceof Outcome.Waiting waiting
                        && !waiting.reason().equals(Change.PREVIOUS_STATE)) {
                    waits.add(waiting.on());
                }
            }
        }
        return Stream.concat(failures.stream(), waits.stream());
    }

    /** The worst outcome, and how many nodes are ready. */
    private String cell(List<PoolReport> reports) {
        List<String> kinds =
                reports.stream().map(report -> Change.kind(report.outcome())).toList();
        String worst = Stream.of(Change.FAILED, Change.WAITING)
                .filter(kinds::contains)
                .findFirst()
                .orElse(Change.READY);
        int nodes = reports.stream().mapToInt(report -> report.nodes().size()).sum();
        int ready = reports.stream().mapToInt(PoolReport::readyNodes).sum();
        return painted(worst, nodes == 0 ? "" : " " + ready + "/" + nodes);
    }

    private String painted(String kind, String counts) {
        return paint(COLORS.getOrDefault(kind, "0"), pad(kind + counts, CELL_WIDTH));
    }

    private static String pad(String text, int width) {
        return text.length() >= width ? text.substring(0, width - 1) + " " : text + " ".repeat(width - text.length());
    }

    /** At most as wide as the terminal. */
    static String cut(String text) {
        return text.length() <= WIDTH ? text : text.substring(0, WIDTH - 3) + "...";
    }

    private String paint(String color, String text) {
        return colors ? "\033[" + color + "m" + text + "\033[0m" : text;
    }
}
