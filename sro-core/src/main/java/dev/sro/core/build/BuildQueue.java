package dev.sro.core.build;

import dev.sro.api.Outcome;
import dev.sro.api.Problem;
import dev.sro.core.build.BuildRecord.Phase;
import dev.sro.core.model.Code;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Decides which builds of a special resource run: one step after the other in a pool, pools in the order of their names, no more
 * at a time than are allowed, and what failed again after a while that grows. Pure: all it knows is in its arguments. Lives for one
 * decision.
 */
public final class BuildQueue {

    /** A pushed image that the registry does not have after this time is gone; it may take a moment until it shows up. */
    static final Duration VANISHED = Duration.ofMinutes(15);

    /**
     * What a pool needs.
     *
     * @param pool its name
     * @param steps what has to run, in order
     * @param missing whether the registry was found not to have the image
     */
    public record Need(String pool, BuildSteps steps, boolean missing) {}

    /** What the pods of attempts say. */
    public interface Pods {
        /** The end of the log of an attempt that failed; empty while it is not read. */
        String end(BuildRecord failed);

        /** Why an attempt that runs does not get on: its image, for instance, cannot be pulled. */
        Optional<Problem> obstacle(BuildRecord running);
    }

    private final Map<String, BuildRecord> latest = new HashMap<>();
    private final Pods pods;
    private final Predicate<String> overall;
    private final Instant now;
    private final BuildSettings settings;
    private int running;

    /**
     * @param records of all objects of builds of the special resource, of whichever inputs
     * @param pods what those of attempts say
     * @param overall takes one of the places of all special resources for a pool that wants to begin; false when there is none
     */
    public BuildQueue(
            Collection<BuildRecord> records,
            Pods pods,
            Predicate<String> overall,
            Instant now,
            BuildSettings settings) {
        this.pods = pods;
        this.overall = overall;
        this.now = now;
        this.settings = settings;
        for (BuildRecord record : records) {
            latest.merge(
                    record.pool() + "/" + record.hash(),
                    record,
                    (one, other) -> one.attempt() >= other.attempt() ? one : other);
            running += record.phase() == Phase.RUNNING ? 1 : 0;
        }
    }

    /** The decision, by pool. */
    public SortedMap<String, PoolBuild> decide(List<Need> needs) {
        SortedMap<String, PoolBuild> result = new TreeMap<>();
        needs.stream().sorted(Comparator.comparing(Need::pool)).forEach(need -> result.put(need.pool(), decide(need)));
        return result;
    }

    private PoolBuild decide(Need need) {
        if (need.steps().obstacle().isPresent()) {
            return new PoolBuild(List.of(), need.steps().obstacle().get(), Instant.MAX);
        }
        List<PoolBuild.Run> runs = new ArrayList<>();
        List<BuildStep> steps = need.steps().steps();
        for (BuildStep step : steps) {
            boolean last = step.equals(steps.get(steps.size() - 1));
            BuildRecord known = latest.get(need.pool() + "/" + step.hash());
            Optional<PoolBuild> stop = known == null
                    ? Optional.of(begin(need, step, 1, runs, "nothing was built for it yet"))
                    : go(need, step, known, last, runs);
            if (stop.isPresent()) {
                return stop.get();
            }
        }
        return new PoolBuild(runs, Outcome.ready(), Instant.MAX);
    }

    private Optional<PoolBuild> go(
            Need need, BuildStep step, BuildRecord known, boolean last, List<PoolBuild.Run> runs) {
        return switch (known.phase()) {
            case RUNNING -> {
                runs.add(new PoolBuild.Run(step, known.attempt()));
                yield Optional.of(new PoolBuild(runs, runs(step, known), Instant.MAX));
            }
            case FAILED -> Optional.of(again(need, step, known, runs));
            case DONE -> {
                Instant gone = known.ended().plus(VANISHED);
                if (last && need.missing() && !now.isBefore(gone)) {
                    yield Optional.of(
                            begin(need, step, known.attempt() + 1, runs, "the registry does not have it any more"));
                }
                runs.add(new PoolBuild.Run(step, known.attempt()));
                yield last && need.missing()
                        ? Optional.of(new PoolBuild(
                                runs,
                                Outcome.waiting(
                                        "BuiltImageAwaited",
                                        now,
                                        known.ref() + " pushed " + step.image()
                                                + ", and the registry does not show it yet"),
                                gone))
                        : Optional.empty();
            }
        };
    }

    private Outcome runs(BuildStep step, BuildRecord known) {
        Optional<Problem> obstacle = pods.obstacle(known);
        if (obstacle.isPresent()) {
            Problem problem = obstacle.get();
            return Outcome.failed(new Problem(
                    problem.code(),
                    known.ref() + ": " + problem.message() + "; it was to make " + step.describe(),
                    problem.owner(),
                    problem.retryable()));
        }
        String why = known.reason().isEmpty() && known.message().isEmpty()
                ? ""
                : ": " + (known.reason() + " " + known.message()).strip();
        return Outcome.waiting(
                "BuildRunning",
                now,
                step.describe() + " goes on: " + known.ref()
                        + (known.attempt() == 1 ? "" : ", attempt " + known.attempt()) + why);
    }

    private PoolBuild again(Need need, BuildStep step, BuildRecord known, List<PoolBuild.Run> runs) {
        Instant retry = known.ended().plus(settings.retryAfter(known.attempt()));
        String log = pods.end(known);
        if (known.isBeyondRetry(log)) {
            runs.add(new PoolBuild.Run(step, known.attempt()));
            Problem problem = known.problem(
                    step.describe(),
                    log,
                    "the last one, as equal sources do not compile the next time either: correct them and name another"
                            + " commit, or delete " + known.ref() + " to have it built again");
            return new PoolBuild(runs, Outcome.failed(problem), Instant.MAX);
        }
        if (now.isBefore(retry)) {
            runs.add(new PoolBuild.Run(step, known.attempt()));
            Problem problem = known.problem(step.describe(), log, "the next one at " + retry);
            return new PoolBuild(runs, Outcome.failed(problem), retry);
        }
        int next = known.attempt() + 1;
        PoolBuild begun = begin(need, step, next, new ArrayList<>(runs), "the last attempt failed");
        boolean waits = begun.runs().size() == runs.size();
        if (waits) {
            // The failure stays to be seen until there is room for the next attempt.
            runs.add(new PoolBuild.Run(step, known.attempt()));
            Problem problem = known.problem(step.describe(), log, "the next one when other builds have ended");
            return new PoolBuild(runs, Outcome.failed(problem), begun.wakeUp());
        }
        return begun;
    }

    private PoolBuild begin(Need need, BuildStep step, int attempt, List<PoolBuild.Run> runs, String why) {
        if (running >= settings.perResource()) {
            return queued(
                    runs,
                    step,
                    settings.perResource() + " builds of " + step.resource()
                            + " run already, which is what is allowed");
        }
        if (!overall.test(step.name(attempt))) {
            return queued(
                    runs, step, settings.overall() + " builds run in the cluster already, which is what is allowed");
        }
        running++;
        List<PoolBuild.Run> all = new ArrayList<>(runs);
        all.add(new PoolBuild.Run(step, attempt));
        return new PoolBuild(
                all,
                Outcome.waiting("BuildRunning", now, step.describe() + " begins: " + why + " (" + need.pool() + ")"),
                Instant.MAX);
    }

    private PoolBuild queued(List<PoolBuild.Run> runs, BuildStep step, String why) {
        return new PoolBuild(
                runs, Outcome.waiting(Code.BUILD_QUEUED.text(), now, step.describe() + " waits: " + why), Instant.MAX);
    }
}
