package dev.sro.runtime.demo;

import dev.sro.core.model.MetadataKeys;
import dev.sro.core.plan.Plan;
import dev.sro.runtime.demo.PhaseResult.Check;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.server.Recording;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** What scenarios run on: phases with checks, time that passes, a view that follows. Confined to one thread. */
final class DemoStage {

    /** How often a cluster that lives on is looked at. */
    private static final Duration TICK = Duration.ofMillis(100);

    private final SroSandbox sandbox;
    private final DemoView view;
    private final Pacer pacer;
    private final Clock wall;
    private final String specialResource;
    private final int phases;
    private final Duration limit;
    private final Instant start;
    private final List<PhaseResult> results = new ArrayList<>();

    /**
     * @param specialResource that is followed
     * @param phases how many there will be
     * @param limit of a phase in the cluster's time; far more than any needs
     */
    DemoStage(
            SroSandbox sandbox,
            DemoView view,
            Pacer pacer,
            Clock wall,
            String specialResource,
            int phases,
            Duration limit) {
        this.sandbox = sandbox;
        this.view = view;
        this.pacer = pacer;
        this.wall = wall;
        this.specialResource = specialResource;
        this.phases = phases;
        this.limit = limit;
        this.start = sandbox.cluster().clock().instant();
    }

    List<PhaseResult> results() {
        return results;
    }

    boolean ok() {
        return results.stream().allMatch(PhaseResult::ok);
    }

    static Check check(boolean ok, String text, String detail) {
        return new Check(ok, text, detail);
    }

    void run(String name, String title, Supplier<List<Check>> body) {
        Phase phase = new Phase(results.size() + 1, phases, name, title);
        view.begins(phase);
        sandbox.cluster().recording().start();
        Instant wallStart = wall.instant();
        Instant clusterStart = sandbox.cluster().clock().instant();
        List<Check> checks = body.get();
        PhaseResult result = PhaseResult.of(
                phase,
                requests(),
                Duration.between(clusterStart, sandbox.cluster().clock().instant()),
                Duration.between(wallStart, wall.instant()),
                checks);
        results.add(result);
        view.ended(result);
    }

    /** Lets time pass until the condition holds; the view follows. */
    void until(BooleanSupplier condition) {
        boolean reached = sandbox.runUntil(limit, () -> {
            show();
            if (condition.getAsBoolean()) {
                return true;
            }
            pace();
            return false;
        });
        if (!reached) {
            throw new DemoFailedException("not done after " + limit.toMinutes()
                    + " minutes of the cluster's time; "
                    + sandbox.plan(specialResource)
                            .map(plan -> DemoTables.unfinished(plan, sandbox.state(specialResource)))
                            .orElse("the SpecialResource is gone"));
        }
    }

    /** Lets the cluster live in step with our time, until the thread is interrupted. */
    void liveOn() {
        Pacer ours = Pacer.times(1);
        while (!Thread.currentThread().isInterrupted()) {
            show();
            ours.pass(TICK);
            sandbox.run(TICK);
        }
    }

    /** Shows the end. */
    void finish() {
        view.summary(results);
    }

    private void show() {
        sandbox.plan(specialResource)
                .ifPresent(plan -> view.update(
                        Duration.between(start, sandbox.cluster().clock().instant()), plan));
    }

    private void pace() {
        Instant now = sandbox.cluster().clock().instant();
        sandbox.cluster()
                .clock()
                .nextDue()
                .map(due -> Duration.between(now, due))
                .filter(wait -> !wait.isNegative())
                .ifPresent(pacer::pass);
    }

    Plan plan() {
        return sandbox.plan(specialResource).orElseThrow(() -> new DemoFailedException("the SpecialResource is gone"));
    }

    List<Recording.Entry> requests() {
        return sandbox.cluster().recording().entries(entry -> entry.userAgent().equals(MetadataKeys.FIELD_MANAGER));
    }

    List<Recording.Entry> writes() {
        return requests().stream().filter(PhaseResult::isChange).toList();
    }
}
