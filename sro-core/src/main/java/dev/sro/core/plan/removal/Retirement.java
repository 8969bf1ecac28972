package dev.sro.core.plan.removal;

import dev.sro.api.Pool;
import dev.sro.api.Problem;
import dev.sro.core.manifest.AccountManifests;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.RecipeAccount;
import dev.sro.core.plan.AnswerLookup;
import dev.sro.core.plan.OwnedObjects;
import dev.sro.core.plan.Write;
import dev.sro.core.plan.worker.Workers;
import dev.sro.core.probe.PodFacts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Takes away what no state wants any more: objects of old pools, and objects that left the recipe. Later states go
 * first, and each pool at its own pace. Lives for one plan.
 */
public final class Retirement {

    private final RemovalInput in;
    private final RemovalDraft draft;
    private final Workers workers;
    private final List<KubeObject> retired = new ArrayList<>();
    private final List<ObjectRef> leaving = new ArrayList<>();
    private final RemovalOrder departure;
    private final AnswerLookup asks;
    private ClaimHold hold;

    public Retirement(RemovalInput in, AnswerLookup asks, RemovalDraft draft, Workers workers, RemovalOrder departure) {
        this.asks = asks;
        this.departure = departure;
        this.workers = workers;
        this.in = in;
        this.draft = draft;
        this.hold = ClaimHold.ofAll(in, asks, List.of());
    }

    public List<Write> plan() {
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
            String state = live.annotation(MetadataKeys.STATE).orElse("");
            DesiredState broken = incomplete.get(state);
            boolean unknown = (broken != null
                            && broken.isUnknown(
                                    live.annotation(MetadataKeys.POOL).orElse("")))
                    || draft.isHeld(state);
            boolean kept = draft.isWanted(live.ref())
                    || workers.needs(live)
                    || OwnedObjects.isKept(live)
                    || live.annotation(MetadataKeys.BUILT_IMAGES).isPresent()
                    || OwnedObjects.isOfRelease(live)
                    // By its rights others go; it goes when the special resource does.
                    || in.account().filter(account -> isOf(account, live)).isPresent()
                    || (AccountManifests.isOne(live) && hasOthers(live))
                    || (in.upgrade().isPresent()
                            && live.annotation(MetadataKeys.UPGRADE).isPresent())
                    || live.ref().kind().equals("Namespace")
                    || OwnedObjects.isControlledElsewhere(live);
            if (!unknown && !kept) {
                byPool.computeIfAbsent(live.annotation(MetadataKeys.POOL).orElse(""), pool -> new ArrayList<>())
                        .add(live);
            }
        }
        List<Write> writes = new ArrayList<>();
        byPool.forEach((pool, doomed) -> {
            doomed.forEach(live -> leaving.add(live.ref()));
            if (doomed.stream().noneMatch(live -> isInUse(live, pool))) {
                retired.addAll(doomed);
                writes.addAll(departure.lastWave(doomed, "no node needs it any more"));
            }
        });
        hold = ClaimHold.ofRest(in, asks, retired);
        return hold.filter(writes);
    }

    /** All that no state wants any more, whether or not its time has come; known after {@link #plan()}. */
    public List<ObjectRef> leaving() {
        return leaving;
    }

    /** What stays because somebody has devices by it; known after {@link #plan()}. */
    public ClaimHold hold() {
        return hold;
    }

    /** Why something could not be taken away; known after {@link #plan()}. */
    public Optional<Problem> problem() {
        return departure.problem(retired);
    }

    /** The operands had another namespace before, and are not all gone from there. */
    private boolean hasOthers(KubeObject account) {
        return in.owned().values().stream()
                .anyMatch(live -> live.ref().namespace().equals(account.ref().namespace())
                        && RecipeAccount.of(live).isPresent());
    }

    private static boolean isOf(RecipeAccount account, KubeObject live) {
        return live.ref().equals(AccountManifests.ref(account)) || live.ref().equals(AccountManifests.binding(account));
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
        for (PodFacts pod : in.podsOf(live)) {
            boolean over = pod.phase().equals("Succeeded") || pod.phase().equals("Failed");
            if (!over && in.nodes().containsKey(pod.node())) {
                return true;
            }
        }
        return false;
    }
}
