package dev.sro.core.plan;

import dev.sro.api.Outcome;
import dev.sro.api.Pool;
import dev.sro.api.Problem;
import dev.sro.api.resource.SpecialResourceStatus;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.Marks;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.probe.PodFacts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Takes away what no state wants any more: objects of old pools, and objects that left the recipe. Later states go
 * first, and each pool at its own pace. Lives for one plan.
 */
final class Retirement {

    private final PlanInput in;
    private final ObjectPlanner objects;
    private final Gates gates;
    private final Workers workers;
    private final List<KubeObject> retired = new ArrayList<>();
    private final List<ObjectRef> leaving = new ArrayList<>();
    private ClaimHold hold;

    Retirement(PlanInput in, ObjectPlanner objects, Gates gates, Workers workers) {
        this.workers = workers;
        this.gates = gates;
        this.in = in;
        this.objects = objects;
        this.hold = ClaimHold.ofAll(in, List.of());
    }

    List<Write> plan() {
        Map<String, DesiredState> incomplete = new HashMap<>();
        for (DesiredState state : in.states()) {
            if (!state.isComplete()) {
                incomplete.put(state.state().id(), state);
            }
        }
        Map<String, List<KubeObject>> byPool = new TreeMap<>();
        for (KubeObject live : in.owned().values()) {
            // What cannot be rendered at the moment is not unwanted, only unknown; and hooks that come first come
            // before this.
            String state = live.annotation(Marks.STATE).orElse("");
            DesiredState broken = incomplete.get(state);
            boolean unknown = (broken != null
                            && broken.isUnknown(live.annotation(Marks.POOL).orElse("")))
                    || gates.isHeld(state);
            boolean kept = objects.isWanted(live.ref())
                    || workers.needs(live)
                    || ObjectPlanner.isKept(live)
                    || live.annotation(Marks.BUILT_IMAGES).isPresent()
                    || ReleasePlanner.isOurs(live)
                    || (in.upgrade().isPresent()
                            && live.annotation(Marks.UPGRADE).isPresent())
                    || live.ref().kind().equals("Namespace")
                    || ObjectPlanner.isControlledElsewhere(live);
            if (!unknown && !kept) {
                byPool.computeIfAbsent(live.annotation(Marks.POOL).orElse(""), pool -> new ArrayList<>())
                        .add(live);
            }
        }
        List<Write> writes = new ArrayList<>();
        byPool.forEach((pool, doomed) -> {
            doomed.forEach(live -> leaving.add(live.ref()));
            if (doomed.stream().noneMatch(live -> isInUse(live, pool))) {
                retired.addAll(doomed);
                writes.addAll(lastWave(doomed, "no node needs it any more", in));
            }
        });
        hold = ClaimHold.ofRest(in, retired);
        return hold.filter(writes);
    }

    /** All that no state wants any more, whether or not its time has come; known after {@link #plan()}. */
    List<ObjectRef> leaving() {
        return leaving;
    }

    /** What stays because somebody has devices by it; known after {@link #plan()}. */
    ClaimHold hold() {
        return hold;
    }

    /** Why something could not be taken away; known after {@link #plan()}. */
    Optional<Problem> problem() {
        return problem(retired, in);
    }

    /** Why one of these could not be deleted. */
    static Optional<Problem> problem(List<KubeObject> doomed, PlanInput in) {
        return doomed.stream()
                .filter(live -> !live.terminating())
                .map(KubeObject::ref)
                .sorted()
                .map(in.failures()::get)
                .filter(Objects::nonNull)
                .map(WriteFailure::problem)
                .findFirst()
                .or(() -> lastOf(doomed, in).stream()
                        .map(live -> mayGo(live, in))
                        .filter(Outcome.Failed.class::isInstance)
                        .map(outcome -> ((Outcome.Failed) outcome).problem())
                        .findFirst());
    }

    /** Whether the plugin lets the object go, and if not, why. */
    static Outcome mayGo(KubeObject live, PlanInput in) {
        Map<String, String> annotations = in.resource().getMetadata().getAnnotations();
        boolean skipped = annotations != null && "true".equals(annotations.get(Marks.SKIP_DELETE_HOOKS));
        return skipped ? Outcome.ready() : in.lookups().beforeDelete(live, in.now());
    }

    /** Those of the doomed objects that belong to the latest state and are not on their way, sorted. */
    static List<KubeObject> lastOf(List<KubeObject> doomed, PlanInput in) {
        String last = doomed.stream()
                .map(live -> live.annotation(Marks.STATE).orElse(""))
                .max(recipeOrder(in))
                .orElse("");
        return doomed.stream()
                .filter(live -> live.annotation(Marks.STATE).orElse("").equals(last))
                .filter(live -> !live.terminating())
                .sorted(Comparator.comparing(KubeObject::ref))
                .toList();
    }

    /**
     * The deletions of those of the doomed objects that belong to the latest state and that the plugin lets go; the others follow
     * when these are gone.
     */
    static List<Write> lastWave(List<KubeObject> doomed, String why, PlanInput in) {
        List<Write> writes = new ArrayList<>();
        for (KubeObject live : lastOf(doomed, in)) {
            ObjectRef ref = live.ref();
            WriteFailure failure = in.failures().get(ref);
            boolean due = failure == null || !in.now().isBefore(failure.retryAt());
            if (due && mayGo(live, in).isReady()) {
                writes.add(new Write.Delete(
                        ref,
                        live.uid(),
                        ObjectPlanner.isWorkload(ref),
                        live.annotation(Marks.STATE).orElse(""),
                        live.annotation(Marks.POOL).orElse(""),
                        why));
            }
        }
        return writes;
    }

    /**
     * As the recipe orders its states, or ordered them when the status was last written: a recipe is not needed to take its
     * objects away. What is in neither comes last, and so goes first.
     */
    static Comparator<String> recipeOrder(PlanInput in) {
        List<String> order = new ArrayList<>();
        in.states().forEach(state -> order.add(state.state().id()));
        SpecialResourceStatus before = in.resource().getStatus();
        if (order.isEmpty() && before != null) {
            before.getStates().forEach(state -> order.add(state.getName()));
        }
        return Comparator.comparingInt((String state) -> order.contains(state) ? order.indexOf(state) : order.size())
                .thenComparing(Comparator.naturalOrder());
    }

    /** A pod of it still runs on a node that is served, but by now belongs to another pool: the node is in transition. */
    private boolean isInUse(KubeObject live, String pool) {
        if (pool.isEmpty() || !live.ref().kind().equals("DaemonSet")) {
            return false;
        }
        Set<String> present = new HashSet<>();
        for (Pool existing : in.pools()) {
            present.add(existing.name());
        }
        if (present.contains(pool)) {
            return false;
        }
        for (PodFacts pod : in.lookups().pods(live.uid())) {
            boolean over = pod.phase().equals("Succeeded") || pod.phase().equals("Failed");
            if (!over && in.nodes().containsKey(pod.node())) {
                return true;
            }
        }
        return false;
    }
}
