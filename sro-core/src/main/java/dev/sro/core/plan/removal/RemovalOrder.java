package dev.sro.core.plan.removal;

import dev.sro.api.Outcome;
import dev.sro.api.Problem;
import dev.sro.api.resource.SpecialResourceStatus;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.plan.AnswerLookup;
import dev.sro.core.plan.OwnedObjects;
import dev.sro.core.plan.Write;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The order in which objects go that nobody wants any more, and what keeps them. Lives for one plan. */
public final class RemovalOrder {

    private final RemovalInput in;
    private final AnswerLookup asks;

    public RemovalOrder(RemovalInput in, AnswerLookup asks) {
        this.in = in;
        this.asks = asks;
    }

    /** Why one of these could not be deleted. */
    public Optional<Problem> problem(List<KubeObject> doomed) {
        return doomed.stream()
                .filter(live -> !live.terminating())
                .map(KubeObject::ref)
                .sorted()
                .flatMap(ref -> in.refusals().problem(ref).stream())
                .findFirst()
                .or(() -> lastOf(doomed).stream()
                        .map(live -> mayGo(live))
                        .filter(Outcome.Failed.class::isInstance)
                        .map(outcome -> ((Outcome.Failed) outcome).problem())
                        .findFirst());
    }

    /** Whether the plugin lets the object go, and if not, why. */
    public Outcome mayGo(KubeObject live) {
        Map<String, String> annotations = in.resource().getMetadata().getAnnotations();
        boolean skipped = annotations != null && "true".equals(annotations.get(MetadataKeys.SKIP_DELETE_HOOKS));
        return skipped ? Outcome.ready() : asks.beforeDelete(live);
    }

    /** Those of the doomed objects that belong to the latest state and are not on their way, sorted. */
    public List<KubeObject> lastOf(List<KubeObject> doomed) {
        String last = doomed.stream()
                .map(live -> live.annotation(MetadataKeys.STATE).orElse(""))
                .max(recipeOrder())
                .orElse("");
        return doomed.stream()
                .filter(live -> live.annotation(MetadataKeys.STATE).orElse("").equals(last))
                .filter(live -> !live.terminating())
                .sorted(Comparator.comparing(KubeObject::ref))
                .toList();
    }

    /**
     * The deletions of those of the doomed objects that belong to the latest state and that the plugin lets go; the others follow
     * when these are gone.
     */
    public List<Write> lastWave(List<KubeObject> doomed, String why) {
        List<Write> writes = new ArrayList<>();
        for (KubeObject live : lastOf(doomed)) {
            ObjectRef ref = live.ref();
            if (in.refusals().allow(ref) && mayGo(live).isReady()) {
                writes.add(Write.Delete.of(
                        live,
                        OwnedObjects.isWorkload(ref),
                        live.annotation(MetadataKeys.STATE).orElse(""),
                        live.annotation(MetadataKeys.POOL).orElse(""),
                        why));
            }
        }
        return writes;
    }

    /**
     * As the recipe orders its states, or ordered them when the status was last written: a recipe is not needed to take its
     * objects away. What is in neither comes last, and so goes first.
     */
    public Comparator<String> recipeOrder() {
        List<String> order = new ArrayList<>();
        in.states().forEach(state -> order.add(state.state().id()));
        SpecialResourceStatus before = in.resource().getStatus();
        if (order.isEmpty() && before != null) {
            before.getStates().forEach(state -> order.add(state.getName()));
        }
        return Comparator.comparingInt((String state) -> order.contains(state) ? order.indexOf(state) : order.size())
                .thenComparing(Comparator.naturalOrder());
    }
}
