package dev.sro.runtime.demo;

import dev.sro.core.plan.Plan;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Lines that tell what changed: for logs and files. Confined to one thread. */
final class PlainView implements DemoView {

    private final PrintWriter out;
    private final ChangeLines lines = new ChangeLines();
    private Map<Change.Place, Change> last = Map.of();

    PlainView(PrintWriter out) {
        this.out = out;
    }

    @Override
    public void begins(Phase phase) {
        out.println();
        out.println(phase.number() + "/" + phase.of() + " " + phase.name() + ": " + phase.title());
    }

    @Override
    public void update(Duration since, Plan plan) {
        Map<Change.Place, Change> now = Change.all(plan);
        if (now.isEmpty() && !last.isEmpty()) {
            out.println(
                    String.format("%8s  everything is taken away, the last state first", DemoTables.seconds(since)));
        }
        lines.of(DemoTables.seconds(since), Change.between(last, now), now).forEach(out::println);
        last = now;
    }

    @Override
    public void fleet(Duration since, List<String> lines) {
        for (int i = 0; i < lines.size(); i++) {
            out.println(String.format("%8s  %s", i == 0 ? DemoTables.seconds(since) : "", lines.get(i)));
        }
    }

    @Override
    public void ended(PhaseResult result) {
        DemoTables.checks(result).forEach(line -> out.println("  " + line));
    }

    @Override
    public void summary(List<PhaseResult> results) {
        out.println();
        DemoTables.table(results).forEach(out::println);
        out.println("(" + DemoTables.LEGEND + ")");
    }

    @Override
    public void say(String message) {
        out.println(message);
    }
}
