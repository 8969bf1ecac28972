package dev.sro.core.plan.state;

import dev.sro.api.Outcome;
import dev.sro.api.State;
import dev.sro.api.ValidationLimits;
import dev.sro.core.manifest.Desired;
import dev.sro.core.manifest.ReplacedKinds;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.plan.Write;
import dev.sro.core.plan.WritePhase;
import dev.sro.core.plan.validation.ValidationTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Jobs and Pods that validate and are run again after a time. The next run has a second name, and the last one stays until the next
 * one has come to its end: so the last result is always in the API server, and counts as long as there is no other. Lives for one plan.
 */
final class ValidationRuns {

    private static final int LONGEST_NAME = 63;

    private final StateInput in;
    private final StateDraft draft;
    private final ObjectPlanner objects;

    ValidationRuns(StateInput in, StateDraft draft, ObjectPlanner objects) {
        this.in = in;
        this.draft = draft;
        this.objects = objects;
    }

    /** Whether the object is one that is run again. */
    static boolean concern(Desired desired, State state) {
        return ReplacedKinds.KINDS.contains(desired.object().ref().kind())
                && every(state).isPresent();
    }

    private static Optional<Duration> every(State state) {
        return state.limits().flatMap(ValidationLimits::repeatEvery);
    }

    /** What of the two is there. */
    @Nullable KubeObject live(Desired desired) {
        KubeObject first = in.owned().get(desired.object().ref());
        return first == null ? in.owned().get(again(desired).object().ref()) : first;
    }

    private static Desired again(Desired desired) {
        KubeObject object = desired.object()
                .edit(tree -> ValueTrees.ensureMap(tree, "metadata")
                        .put("name", MetadataKeys.fit(desired.object().ref().name() + "-again", LONGEST_NAME)));
        return new Desired(object, desired.state(), desired.pool());
    }

    Outcome plan(Desired first, State state, boolean open) {
        Desired second = again(first);
        draft.want(first.object().ref());
        draft.want(second.object().ref());
        KubeObject one = in.owned().get(first.object().ref());
        KubeObject two = in.owned().get(second.object().ref());
        if (one == null || two == null) {
            return single(two == null ? first : second, two == null ? second : first, state, open);
        }
        boolean swapped = ValidationTime.time(one.metadata(), "creationTimestamp")
                .isAfter(ValidationTime.time(two.metadata(), "creationTimestamp"));
        return both(swapped ? first : second, swapped ? one : two, swapped ? two : one, state, open);
    }

    private Outcome single(Desired present, Desired other, State state, boolean open) {
        Outcome outcome = objects.outcome(present, state, open);
        KubeObject live = in.owned().get(present.object().ref());
        if (!open || live == null || live.terminating() || !isAsWanted(present, live)) {
            return outcome;
        }
        Instant end = ValidationTime.end(live);
        if (end.equals(Instant.MAX)) {
            return outcome;
        }
        Instant due = end.plus(every(state).orElseThrow());
        if (in.now().isBefore(due)) {
            draft.wakeAt(due);
            return outcome;
        }
        Outcome next = objects.write(other, null, "it is time to validate again, the last time was at " + end);
        return next.isFailed() ? Outcome.worse(outcome, next) : outcome;
    }

    private Outcome both(Desired next, KubeObject newer, KubeObject older, State state, boolean open) {
        Outcome outcome = objects.outcome(next, state, open);
        Instant end = ValidationTime.end(older);
        boolean counts = !older.terminating()
                && isAsWanted(next, older)
                && !end.equals(Instant.MAX)
                && ValidationTime.end(newer).equals(Instant.MAX)
                && !outcome.isFailed();
        if (counts) {
            Instant until = end.plus(every(state).orElseThrow()).plus(ValidationTime.grace(state));
            if (in.now().isBefore(until)) {
                draft.wakeAt(until);
                return objects.judge(older, state);
            }
            // It still is a result, if an old one: it goes when there is another.
            return outcome;
        }
        if (open && !older.terminating() && in.refusals().allow(older.ref())) {
            String pool = next.pool() == null ? "" : next.pool();
            draft.write(
                    WritePhase.OBJECTS, Write.Delete.of(older, true, next.state(), pool, "there is a newer result"));
        }
        return outcome;
    }

    private static boolean isAsWanted(Desired desired, KubeObject live) {
        return desired.object().annotation(MetadataKeys.MANIFEST).equals(live.annotation(MetadataKeys.MANIFEST));
    }
}
