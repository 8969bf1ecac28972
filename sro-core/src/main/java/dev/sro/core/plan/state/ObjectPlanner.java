package dev.sro.core.plan.state;

import dev.sro.api.Outcome;
import dev.sro.api.State;
import dev.sro.core.manifest.Adoption;
import dev.sro.core.manifest.DelegatedFields;
import dev.sro.core.manifest.Desired;
import dev.sro.core.manifest.GeneratedFields;
import dev.sro.core.manifest.PriorityClasses;
import dev.sro.core.manifest.ReplacedKinds;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.plan.Operand;
import dev.sro.core.plan.OwnedObjects;
import dev.sro.core.plan.Reasons;
import dev.sro.core.plan.Write;
import dev.sro.core.plan.WriteFailure;
import dev.sro.core.plan.WritePhase;
import dev.sro.core.plan.memo.Drift;
import dev.sro.core.plan.memo.SyncMemo;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Compares single objects with what is there, and collects the writes. Lives for one plan. */
public final class ObjectPlanner {

    private final StateInput in;
    private final Probes probes;
    private final SyncMemo memo;
    private final BuildFallback fallback;
    private final StateDraft draft;
    private final ValidationRuns runs;
    private final DelegatedFields delegated;

    public ObjectPlanner(StateInput in, StateDraft draft, Probes probes, SyncMemo memo, BuildFallback fallback) {
        this.in = in;
        this.draft = draft;
        this.probes = probes;
        this.memo = memo;
        this.fallback = fallback;
        this.runs = new ValidationRuns(in, draft, this);
        this.delegated = DelegatedFields.of(in.states());
    }

    /** Which builds are needed. */
    BuildFallback fallback() {
        return fallback;
    }

    /**
     * Plans one object.
     *
     * @param open whether its state may go ahead; if not, what exists is kept as it is
     */
    public Outcome plan(Desired desired, State state, boolean open) {
        boolean again = ValidationRuns.concern(desired, state);
        Outcome outcome = again ? runs.plan(desired, state, open) : outcome(desired, state, open);
        KubeObject live =
                again ? runs.live(desired) : in.owned().get(desired.object().ref());
        boolean there = live != null && !live.terminating();
        draft.operand(new Operand(desired.object().ref(), there && outcome.isReady(), live == null ? 0 : nodes(live)));
        return outcome;
    }

    private static int nodes(KubeObject live) {
        return live.ref().kind().equals("DaemonSet")
                ? (int) ValueTrees.number(live.map("status"), "currentNumberScheduled", 0)
                : 0;
    }

    /** Of this very object. */
    public Outcome outcome(Desired rendered, State state, boolean open) {
        ObjectRef ref = rendered.object().ref();
        draft.want(ref);
        Outcome unseen = in.unseenKinds().get(ref.kindKey());
        if (unseen != null) {
            return unseen;
        }
        KubeObject live = in.owned().get(ref);
        Desired desired = kept(rendered, live);
        if (live != null && live.terminating()) {
            return Outcome.waiting("Terminating", in.now(), live + " is being deleted and will be made anew");
        }
        if (live != null && OwnedObjects.isFormer(live, in.uid())) {
            return Outcome.waiting(
                    Reasons.FORMER, in.now(), live + " belongs to a deleted special resource of this name");
        }
        if (live == null && fallback.isHeldBack(desired)) {
            return Outcome.ready();
        }
        if (!open) {
            return live == null ? Outcome.ready() : judge(live, state);
        }
        if (live != null && Adoption.isFormer(live)) {
            return adopt(desired, live);
        }
        if (live != null && Adoption.isAsItRan(desired.object(), live)) {
            KubeObject asItRuns = Adoption.asItRuns(desired.object());
            Optional<String> drift = Drift.find(asItRuns, live);
            return drift.isEmpty()
                    ? judge(live, state)
                    : apply(desired, asItRuns, live, drift.get() + " differs", false);
        }
        Optional<String> reason = live == null ? Optional.of("missing") : difference(desired, live);
        return reason.isEmpty() && live != null ? judge(live, state) : write(desired, live, reason.orElse(""));
    }

    /** With the values that are there already where the recipe makes others each time, or leaves them to a controller. */
    private Desired kept(Desired rendered, @Nullable KubeObject live) {
        if (live == null) {
            return rendered;
        }
        KubeObject first = rendered.object();
        KubeObject kept = delegated.kept(GeneratedFields.has(first) ? GeneratedFields.kept(first, live) : first, live);
        return kept.equals(first) ? rendered : new Desired(kept, rendered.state(), rendered.pool());
    }

    /** Takes over what the operator before us made: as it runs if it runs what the recipe wants. */
    private Outcome adopt(Desired desired, KubeObject live) {
        KubeObject asItRuns = Adoption.asItRuns(desired.object());
        KubeObject content = asItRuns.edit(tree -> tree.remove("metadata"));
        boolean same = Drift.find(content, live).isEmpty();
        if (!same && ReplacedKinds.KINDS.contains(live.ref().kind())) {
            return write(desired, live, "it is not what the recipe wants");
        }
        return apply(desired, same ? asItRuns : desired.object(), live, "made by the operator before this one", true);
    }

    private Optional<String> difference(Desired desired, KubeObject live) {
        if (ReplacedKinds.KINDS.contains(live.ref().kind())) {
            // Their spec cannot change, so only what the recipe wants can differ. What SRO adds by itself, what
            // admission
            // put into a pod, and what a user may set on a Job, is no reason to run it again.
            String mark =
                    live.annotation(MetadataKeys.MANIFEST).isPresent() ? MetadataKeys.MANIFEST : MetadataKeys.APPLIED;
            if (!desired.object().annotation(mark).equals(live.annotation(mark))) {
                return Optional.of("its manifest differs");
            }
            return StaleTolerations.is(desired.object(), live)
                    ? Optional.of("it waits for a node whose taints it does not tolerate yet")
                    : Optional.empty();
        }
        return memo.drift(desired.object(), live).map(path -> path + " differs");
    }

    /** How far an object is that is there. */
    Outcome judge(KubeObject live, State state) {
        return "false".equals(live.annotation(MetadataKeys.WAIT).orElse("")) ? Outcome.ready() : probes.of(live, state);
    }

    /** Writes an object, or makes it anew if it is of a kind that cannot be changed. */
    public Outcome write(Desired desired, @Nullable KubeObject live, String why) {
        return apply(desired, desired.object(), live, why, false);
    }

    private Outcome apply(Desired desired, KubeObject object, @Nullable KubeObject live, String why, boolean adopt) {
        ObjectRef ref = object.ref();
        Optional<WriteFailure> failure = in.refusals().of(ref);
        if (failure.filter(refused -> isOthersDefinition(desired, refused)).isPresent()) {
            return Outcome.ready();
        }
        if (!in.refusals().allow(ref)) {
            return Outcome.failed(failure.orElseThrow().problem());
        }
        String pool = desired.pool() == null ? "" : desired.pool();
        if (live != null
                && !adopt
                && (ReplacedKinds.KINDS.contains(ref.kind()) || PriorityClasses.isOther(object, live))) {
            draft.write(phase(desired), Write.Delete.of(live, true, desired.state(), pool, "to be replaced: " + why));
            return Outcome.waiting("Replacing", in.now(), ref + " changed and is made anew");
        }
        draft.write(phase(desired), new Write.Apply(object, live == null, desired.state(), pool, why, adopt));
        return failure.map(refused -> Outcome.failed(refused.problem()))
                .orElseGet(() -> Outcome.waiting(Reasons.APPLYING, in.now(), ref + " is written (" + why + ")"));
    }

    private WritePhase phase(Desired desired) {
        return in.namespace().filter(desired::equals).isPresent() ? WritePhase.NAMESPACE : WritePhase.OBJECTS;
    }

    /** As in Helm, a definition of the chart that is there already is left as it is: others use it. */
    private static boolean isOthersDefinition(Desired desired, WriteFailure failure) {
        return desired.object().ref().kind().equals("CustomResourceDefinition")
                && OwnedObjects.isKept(desired.object())
                && failure.tells() == WriteFailure.Tells.OTHERS_OBJECT;
    }
}
