package dev.sro.runtime.demo;

import dev.sro.core.plan.Plan;
import dev.sro.runtime.SafeOutput;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;

/** A table that is redrawn in place, on a terminal of 80 columns and 24 rows. Confined to one thread. */
final class LiveView implements DemoView {

    private final PrintWriter out;
    private final boolean colors;
    private final LiveTable table;
    private int drawn;
    private List<String> last = List.of();

    /**
     * @param colors whether colours are wanted
     */
    LiveView(PrintWriter out, boolean colors) {
        this.out = SafeOutput.drawing(out);
        this.colors = colors;
        this.table = new LiveTable(colors);
    }

    @Override
    public void begins(Phase phase) {
        drawn = 0;
        last = List.of();
        out.println();
        out.println(paint("1", LiveTable.cut(phase.number() + "/" + phase.of() + " " + phase.title())));
    }

    @Override
    public void update(Duration since, Plan plan) {
        List<String> lines = table.lines(plan);
        if (lines.equals(last)) {
            return;
        }
        last = lines;
        erase();
        out.println("  in the cluster " + DemoTables.seconds(since) + " passed");
        lines.forEach(out::println);
        drawn = lines.size() + 1;
        out.flush();
    }

    @Override
    public void fleet(Duration since, List<String> lines) {
        erase();
        out.println("  in the cluster " + DemoTables.seconds(since) + " passed");
        lines.forEach(line -> out.println("  " + LiveTable.cut(line)));
        drawn = lines.size() + 1;
        last = List.of();
        out.flush();
    }

    private void erase() {
        if (drawn > 0) {
            out.print("\033[" + drawn + "A\033[J");
        }
    }

    private String paint(String color, String text) {
        return colors ? "\033[" + color + "m" + text + "\033[0m" : text;
    }

    @Override
    public void ended(PhaseResult result) {
        DemoTables.checks(result).forEach(line -> out.println("  " + paint(line.startsWith("ok") ? "32" : "31", line)));
        out.flush();
    }

    @Override
    public void summary(List<PhaseResult> results) {
        out.println();
        DemoTables.table(results).forEach(out::println);
        out.println("(" + DemoTables.LEGEND + ")");
        out.flush();
    }

    @Override
    public void say(String message) {
        drawn = 0;
        out.println(message);
        out.flush();
    }
}
