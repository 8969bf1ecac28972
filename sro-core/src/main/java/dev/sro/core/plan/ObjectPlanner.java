package dev.sro.core.plan;

import dev.sro.api.Outcome;
import dev.sro.api.State;
import dev.sro.core.load.WorkerPods;
import dev.sro.core.manifest.Adoption;
import dev.sro.core.manifest.Desired;
import dev.sro.core.manifest.PriorityClasses;
import dev.sro.core.manifest.Replaced;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.Marks;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.Trees;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Compares single objects with what is there, and collects the writes. Lives for one plan. */
final class ObjectPlanner {

    /** Kinds of ours that have operands. */
    private static final Set<String> OURS = Set.of("SpecialResource", "SpecialResourceModule");

    /** Reason of an object that is written in this very plan. */
    static final String APPLYING = "Applying";

    /** Reason of an object that a deleted special resource of the same name left behind. */
    static final String FORMER = "FormerOwner";

    /** Kinds that control pods: they stay until their pods are gone, so that drivers are unloaded in order. */
    private static final Set<String> WORKLOADS =
            Set.of("DaemonSet", "Deployment", "StatefulSet", "ReplicaSet", "Job", "BuildConfig");

    private final PlanInput in;
    private final BuildFallback fallback;
    private final List<Write> writes = new ArrayList<>();
    private final List<Operand> operands = new ArrayList<>();
    private final Set<ObjectRef> wanted = new HashSet<>();
    private final ValidationRuns runs;

    ObjectPlanner(PlanInput in, BuildFallback fallback) {
        this.in = in;
        this.fallback = fallback;
        this.runs = new ValidationRuns(in, this);
    }

    /** Validations that are run again. */
    ValidationRuns runs() {
        return runs;
    }

    /** The object is not to be retired. */
    void want(Desired desired) {
        wanted.add(desired.object().ref());
    }

    /** Which builds are needed. */
    BuildFallback fallback() {
        return fallback;
    }

    List<Write> writes() {
        return writes;
    }

    /** Whether some state wants this object, whether or not it may be written now. */
    boolean isWanted(ObjectRef ref) {
        return wanted.contains(ref);
    }

    /** Whether some other object made it and takes it away: the pods of a DaemonSet carry our label too. */
    static boolean isControlledElsewhere(KubeObject live) {
        return WorkerPods.isOne(live)
                || live.maps("metadata", "ownerReferences").stream()
                        .anyMatch(owner -> Boolean.TRUE.equals(owner.get("controller"))
                                && !OURS.contains(String.valueOf(owner.get("kind"))));
    }

    /** Whether it stays when nobody wants it any more. */
    static boolean isKept(KubeObject live) {
        return "true".equals(live.annotation(Marks.KEEP).orElse(""));
    }

    static boolean isWorkload(ObjectRef ref) {
        return WORKLOADS.contains(ref.kind());
    }

    /**
     * Plans one object.
     *
     * @param open whether its state may go ahead; if not, what exists is kept as it is
     */
    Outcome plan(Desired desired, State state, boolean open) {
        boolean again = ValidationRuns.concern(desired, state);
        Outcome outcome = again ? runs.plan(desired, state, open) : outcome(desired, state, open);
        KubeObject live =
                again ? runs.live(desired) : in.owned().get(desired.object().ref());
        boolean there = live != null && !live.terminating();
        operands.add(new Operand(desired.object().ref(), there && outcome.isReady(), live == null ? 0 : nodes(live)));
        return outcome;
    }

    private static int nodes(KubeObject live) {
        return live.ref().kind().equals("DaemonSet")
                ? (int) Trees.number(live.map("status"), "currentNumberScheduled", 0)
                : 0;
    }

    /** What the recipe wants; complete when all states are planned. */
    List<Operand> operands() {
        return operands;
    }

    /** Of this very object. */
    Outcome outcome(Desired desired, State state, boolean open) {
        ObjectRef ref = desired.object().ref();
        wanted.add(ref);
        Outcome unseen = in.unseenKinds().get(ref.kindKey());
        if (unseen != null) {
            return unseen;
        }
        KubeObject live = in.owned().get(ref);
        if (live != null && live.terminating()) {
            return Outcome.waiting("Terminating", in.now(), live + " is being deleted and will be made anew");
        }
        if (live != null && isFormer(live)) {
            return Outcome.waiting(FORMER, in.now(), live + " belongs to a deleted special resource of this name");
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

    /** Takes over what the operator before us made: as it runs if it runs what the recipe wants. */
    private Outcome adopt(Desired desired, KubeObject live) {
        KubeObject asItRuns = Adoption.asItRuns(desired.object());
        KubeObject content = asItRuns.edit(tree -> tree.remove("metadata"));
        boolean same = Drift.find(content, live).isEmpty();
        if (!same && Replaced.KINDS.contains(live.ref().kind())) {
            return write(desired, live, "it is not what the recipe wants");
        }
        return apply(desired, same ? asItRuns : desired.object(), live, "made by the operator before this one", true);
    }

    private Optional<String> difference(Desired desired, KubeObject live) {
        if (Replaced.KINDS.contains(live.ref().kind())) {
            // Their spec cannot change, so only what the recipe wants can differ. What SRO adds by itself, what
            // admission
            // put into a pod, and what a user may set on a Job, is no reason to run it again.
            String mark = live.annotation(Marks.MANIFEST).isPresent() ? Marks.MANIFEST : Marks.APPLIED;
            if (!desired.object().annotation(mark).equals(live.annotation(mark))) {
                return Optional.of("its manifest differs");
            }
            return HeldOff.is(desired.object(), live)
                    ? Optional.of("it waits for a node whose taints it does not tolerate yet")
                    : Optional.empty();
        }
        return in.memo().drift(desired.object(), live).map(path -> path + " differs");
    }

    /** How far an object is that is there. */
    Outcome judge(KubeObject live, State state) {
        return "false".equals(live.annotation(Marks.WAIT).orElse("")) ? Outcome.ready() : Probes.of(in, live, state);
    }

    /** Writes an object, or makes it anew if it is of a kind that cannot be changed. */
    Outcome write(Desired desired, @Nullable KubeObject live, String why) {
        return apply(desired, desired.object(), live, why, false);
    }

    private Outcome apply(Desired desired, KubeObject object, @Nullable KubeObject live, String why, boolean adopt) {
        ObjectRef ref = object.ref();
        WriteFailure failure = in.failures().get(ref);
        if (failure != null && isOthersDefinition(desired, failure)) {
            return Outcome.ready();
        }
        if (failure != null && in.now().isBefore(failure.retryAt())) {
            return Outcome.failed(failure.problem());
        }
        String pool = desired.pool() == null ? "" : desired.pool();
        if (live != null && !adopt && (Replaced.KINDS.contains(ref.kind()) || PriorityClasses.isOther(object, live))) {
            writes.add(new Write.Delete(ref, live.uid(), true, desired.state(), pool, "to be replaced: " + why));
            return Outcome.waiting("Replacing", in.now(), ref + " changed and is made anew");
        }
        writes.add(new Write.Apply(object, live == null, desired.state(), pool, why, adopt));
        return failure != null
                ? Outcome.failed(failure.problem())
                : Outcome.waiting(APPLYING, in.now(), ref + " is written (" + why + ")");
    }

    /** As in Helm, a definition of the chart that is there already is left as it is: others use it. */
    private static boolean isOthersDefinition(Desired desired, WriteFailure failure) {
        return desired.object().ref().kind().equals("CustomResourceDefinition")
                && isKept(desired.object())
                && failure.tells() == WriteFailure.Tells.OTHERS_OBJECT;
    }

    /** Left over by a special resource of the same name with another uid; garbage collection takes it away. */
    boolean isFormer(KubeObject live) {
        String uid = String.valueOf(in.resource().getMetadata().getUid());
        return live.maps("metadata", "ownerReferences").stream()
                .anyMatch(
                        owner -> "SpecialResource".equals(owner.get("kind")) && !uid.equals(Trees.text(owner, "uid")));
    }
}
