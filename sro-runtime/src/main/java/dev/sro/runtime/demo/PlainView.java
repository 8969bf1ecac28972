package dev.sro.runtime.demo;

import dev.sro.core.plan.Plan;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** One line for each change: for logs and files. Confined to one thread. */
final class PlainView implements DemoView {

    private final PrintWriter out;
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
            out.println(String.format("%8s  everything is taken away, the last state first", Texts.seconds(since)));
        }
        for (Change change : Change.between(last, now)) {
            Change.Place place = change.place();
            String where = place.node().isEmpty() ? place.pool() : place.node();
            out.println(String.format("%8s  %-22s %-38s %s", Texts.seconds(since), place.state(), where, what(change)));
        }
        last = now;
    }

    private static String what(Change change) {
        return change.kind() + (change.message().isEmpty() ? "" : ": " + change.message());
    }

    @Override
    public void ended(PhaseResult result) {
        Texts.checks(result).forEach(line -> out.println("  " + line));
    }

    @Override
    public void summary(List<PhaseResult> results) {
        out.println();
        Texts.table(results).forEach(out::println);
        out.println("(" + Texts.LEGEND + ")");
    }

    @Override
    public void say(String message) {
        out.println(message);
    }
}
