package dev.sro.core.plan.release;

import dev.sro.api.Outcome;
import dev.sro.api.Problem;
import dev.sro.core.manifest.AppliedDigest;
import dev.sro.core.manifest.DesiredHook;
import dev.sro.core.manifest.HookEvent;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.plan.Outcomes;
import dev.sro.core.plan.OwnedObjects;
import dev.sro.core.plan.Write;
import dev.sro.core.probe.Readiness;
import dev.sro.core.release.HookKeys;
import dev.sro.core.release.HookRun;
import dev.sro.core.release.HookRun.Phase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Runs hooks one after another. That a hook was started is on record before its object is made, and that it ended before its
 * object is deleted: so after a crash it goes on where it was, and a hook runs at least once. Lives for one plan.
 */
final class HookRunner {

    /** How long a hook may hold up a deletion. */
    static final Duration DELETION_LIMIT = Duration.ofMinutes(10);

    private final ReleaseInput in;
    private final SortedMap<String, HookRun> recorded;
    private final SortedMap<String, HookRun> runs;
    private final String record;
    private final List<Write> writes = new ArrayList<>();
    private final List<Problem> passed = new ArrayList<>();
    private Optional<Instant> wakeUp = Optional.empty();

    /**
     * @param recorded how far the hooks are by the record
     * @param record what a person has to name to take the record away
     */
    HookRunner(ReleaseInput in, SortedMap<String, HookRun> recorded, String record) {
        this.in = in;
        this.recorded = recorded;
        this.runs = new TreeMap<>(recorded);
        this.record = record;
    }

    /** How far the hooks are now: what is to be recorded. */
    SortedMap<String, HookRun> runs() {
        return Collections.unmodifiableSortedMap(runs);
    }

    /** Objects of hooks to make and to delete. */
    List<Write> writes() {
        return writes;
    }

    /** Failures of hooks that were left behind. */
    List<Problem> passed() {
        return passed;
    }

    /** When a hook has held up a deletion for too long. */
    Optional<Instant> wakeUp() {
        return wakeUp;
    }

    /** Ready when all of these are done; they are run in their order. A failure ends it until somebody acts. */
    Outcome run(HookEvent event, List<DesiredHook> hooks) {
        Map<String, DesiredHook> due = HookKeys.assign(event, hooks);
        for (Map.Entry<String, DesiredHook> hook : due.entrySet()) {
            Outcome outcome = step(event, hook.getKey(), hook.getValue());
            if (outcome.isFailed()) {
                tidy(event, due);
            }
            if (!outcome.isReady()) {
                return outcome;
            }
        }
        tidy(event, due);
        return Outcome.ready();
    }

    private Outcome step(HookEvent event, String key, DesiredHook hook) {
        HookRun run = runs.get(key);
        if (run == null) {
            runs.put(key, new HookRun(Phase.RUNNING, in.now(), ""));
            return waiting(event, hook, "is started");
        }
        if (run.phase() == Phase.SUCCEEDED) {
            return Outcome.ready();
        }
        if (isOverdue(event, run)) {
            return passOver(event, key, hook, run);
        }
        return run.phase() == Phase.FAILED
                ? Outcome.failed(problem(event, hook, run.message()))
                : observe(event, key, hook, run);
    }

    /** A deletion goes on without a hook that takes too long, or fails and is not repaired. */
    private boolean isOverdue(HookEvent event, HookRun run) {
        if (event != HookEvent.PRE_DELETE && event != HookEvent.POST_DELETE) {
            return false;
        }
        Instant limit = run.started().plus(DELETION_LIMIT);
        if (!in.now().isBefore(limit)) {
            return true;
        }
        wakeUp = Optional.of(wakeUp.filter(at -> at.isBefore(limit)).orElse(limit));
        return false;
    }

    private Outcome passOver(HookEvent event, String key, DesiredHook hook, HookRun run) {
        String why =
                run.phase() == Phase.FAILED ? run.message() : "not done after " + DELETION_LIMIT.toMinutes() + " min";
        Problem problem = Problem.vendor(
                "HookFailed",
                "the " + event.word() + " hook " + hook.object().ref() + " failed: " + why
                        + "; the deletion goes on without it");
        passed.add(problem);
        if (run.phase() == Phase.RUNNING) {
            runs.put(key, run.ended(Phase.FAILED, why));
        }
        return Outcome.ready();
    }

    private Outcome observe(HookEvent event, String key, DesiredHook hook, HookRun run) {
        ObjectRef ref = hook.object().ref();
        Outcome unseen = in.unseenKinds().get(ref.kindKey());
        if (unseen != null) {
            return unseen;
        }
        if (!run.equals(recorded.get(key))) {
            return waiting(event, hook, "is started");
        }
        KubeObject live = in.owned().get(ref);
        if (live != null && live.terminating()) {
            return waiting(event, hook, "is made anew when the former one is gone");
        }
        boolean former = live != null && !live.annotation(MetadataKeys.HOOK_RUN).equals(Optional.of(runId(event, run)));
        if (live == null || former) {
            return write(event, hook, run, live);
        }
        Outcome outcome = Readiness.judge(live, in.childrenOf(live), in.now());
        if (outcome.isReady()) {
            runs.put(key, run.ended(Phase.SUCCEEDED, ""));
            return outcome;
        }
        if (outcome instanceof Outcome.Failed failed) {
            String why = failed.problem().message().replaceFirst("^\\Q" + ref + "\\E failed: ", "");
            runs.put(key, run.ended(Phase.FAILED, Outcomes.shorten(why)));
            Problem problem = problem(event, hook, why);
            return Outcome.failed(problem);
        }
        return waiting(event, hook, "runs: " + ((Outcome.Waiting) outcome).on());
    }

    private Outcome write(HookEvent event, DesiredHook hook, HookRun run, @Nullable KubeObject former) {
        ObjectRef ref = hook.object().ref();
        Optional<Problem> hold = in.refusals().hold(ref);
        if (hold.isPresent()) {
            return Outcome.failed(hold.get());
        }
        if (former != null && !isDefinition(ref)) {
            delete(former, hook, "to run again");
            return waiting(event, hook, "is made anew when the former one is gone");
        }
        KubeObject object = AppliedDigest.stamp(hook.object()
                .edit(tree -> ValueTrees.ensureMap(tree, "metadata", "annotations")
                        .put(MetadataKeys.HOOK_RUN, runId(event, run))));
        writes.add(new Write.Apply(object, former == null, hook.state(), hook.pool(), event.word() + " hook"));
        return in.refusals().problem(ref).map(Outcome::failed).orElseGet(() -> waiting(event, hook, "is made"));
    }

    /** Objects that the policies do not keep, once it is on record how they ended. */
    private void tidy(HookEvent event, Map<String, DesiredHook> due) {
        boolean over = due.keySet().stream().allMatch(key -> isOnRecord(key))
                || due.keySet().stream().anyMatch(key -> isOnRecord(key, Phase.FAILED));
        if (!over) {
            return;
        }
        due.forEach((key, hook) -> {
            HookRun run = recorded.get(key);
            KubeObject live = in.owned().get(hook.object().ref());
            String policy = isOnRecord(key, Phase.SUCCEEDED) ? DesiredHook.SUCCEEDED : DesiredHook.FAILED;
            boolean unwanted = isOnRecord(key) && hook.policies().contains(policy);
            if (run != null
                    && live != null
                    && unwanted
                    && !live.terminating()
                    && !isDefinition(live.ref())
                    && live.annotation(MetadataKeys.HOOK_RUN).equals(Optional.of(runId(event, run)))) {
                delete(live, hook, "its delete policy says so");
            }
        });
    }

    private boolean isOnRecord(String key) {
        return isOnRecord(key, Phase.SUCCEEDED) || isOnRecord(key, Phase.FAILED);
    }

    private boolean isOnRecord(String key, Phase phase) {
        HookRun run = recorded.get(key);
        return run != null && run.phase() == phase && run.equals(runs.get(key));
    }

    private void delete(KubeObject live, DesiredHook hook, String why) {
        if (in.refusals().allow(live.ref())) {
            writes.add(Write.Delete.of(live, OwnedObjects.isWorkload(live.ref()), hook.state(), hook.pool(), why));
        }
    }

    /** As in Helm: with a definition all its objects would go. */
    private static boolean isDefinition(ObjectRef ref) {
        return ref.kind().equals("CustomResourceDefinition");
    }

    private static String runId(HookEvent event, HookRun run) {
        return event.word() + "@" + run.started();
    }

    private Outcome waiting(HookEvent event, DesiredHook hook, String how) {
        return Outcome.waiting(
                "HookRunning",
                in.now(),
                "the " + event.word() + " hook " + hook.object().ref() + " " + how);
    }

    private Problem problem(HookEvent event, DesiredHook hook, String why) {
        String act = event == HookEvent.PRE_DELETE || event == HookEvent.POST_DELETE
                ? "the deletion goes on in " + DELETION_LIMIT.toMinutes()
                        + " min at the latest, or with the annotation " + MetadataKeys.SKIP_DELETE_HOOKS + ": \"true\""
                : "to run it again: kubectl annotate secret " + record + " " + MetadataKeys.HOOKS + "-";
        return Problem.vendor(
                "HookFailed", "the " + event.word() + " hook " + hook.object().ref() + " failed (" + act + "): " + why);
    }
}
