package dev.sro.core.plan.removal;

import dev.sro.api.Outcome;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.plan.AnswerLookup;
import dev.sro.core.plan.HeldStates;
import dev.sro.core.plan.PoolReport;
import dev.sro.core.plan.Reasons;
import dev.sro.core.plan.StateReport;
import dev.sro.core.plan.Write;
import dev.sro.core.probe.ClaimUse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Keeps drivers for Dynamic Resource Allocation where they are as long as claims are allocated by them: only the driver takes a device
 * back from a pod that ends, so that without it pods stay Terminating for ever. Lives for one plan.
 */
public final class ClaimHold {

    private static final int NAMED = 2;

    private static final Comparator<ClaimUse> ORDER = Comparator.comparing(ClaimUse::since)
            .thenComparing(ClaimUse::namespace)
            .thenComparing(ClaimUse::name);

    private final RemovalInput in;
    private final List<KubeObject> held = new ArrayList<>();
    private final Set<ObjectRef> refs = new HashSet<>();
    private String why = "";

    private ClaimHold(RemovalInput in) {
        this.in = in;
    }

    /** Of what is about to go when nothing of the special resource shall stay. */
    public static ClaimHold ofAll(RemovalInput in, AnswerLookup asks, Collection<KubeObject> doomed) {
        return of(in, asks, doomed, Set.of());
    }

    /** Of what nobody wants any more, as far as the recipe has no other objects of the same driver. */
    static ClaimHold ofRest(RemovalInput in, AnswerLookup asks, Collection<KubeObject> doomed) {
        Set<String> staying = new HashSet<>();
        if (in.pools().isEmpty()) {
            return of(in, asks, doomed, staying);
        }
        in.states().forEach(state -> {
            state.shared()
                    .forEach(object ->
                            object.object().annotation(MetadataKeys.DRA_DRIVER).ifPresent(staying::add));
            state.byPool()
                    .values()
                    .forEach(own -> own.forEach(object ->
                            object.object().annotation(MetadataKeys.DRA_DRIVER).ifPresent(staying::add)));
        });
        return of(in, asks, doomed, staying);
    }

    private static ClaimHold of(
            RemovalInput in, AnswerLookup asks, Collection<KubeObject> doomed, Set<String> staying) {
        ClaimHold hold = new ClaimHold(in);
        Set<String> let = new HashSet<>(staying);
        let.addAll(abandoned(in));
        SortedMap<String, List<KubeObject>> byDriver = new TreeMap<>();
        for (KubeObject live : doomed) {
            live.annotation(MetadataKeys.DRA_DRIVER)
                    .filter(driver -> !let.contains(driver))
                    .ifPresent(driver -> byDriver.computeIfAbsent(driver, unused -> new ArrayList<>())
                            .add(live));
        }
        // Without pods of its own left, a driver takes nothing back.
        byDriver.values().removeIf(objects -> objects.stream().allMatch(KubeObject::terminating));
        if (byDriver.isEmpty()) {
            return hold;
        }
        Optional<Collection<ClaimUse>> claims = asks.claims();
        byDriver.forEach((driver, objects) -> {
            Optional<List<ClaimUse>> uses = claims.map(all -> all.stream()
                    .filter(claim -> claim.drivers().contains(driver))
                    .sorted(ORDER)
                    .toList());
            if (uses.isEmpty() || !uses.get().isEmpty()) {
                hold.add(objects, text(driver, uses.orElse(List.of())));
            }
        });
        return hold;
    }

    private static List<String> abandoned(RemovalInput in) {
        Map<String, String> annotations = in.resource().getMetadata().getAnnotations();
        String said = annotations == null ? "" : annotations.getOrDefault(MetadataKeys.ABANDON_CLAIMS, "");
        return Arrays.stream(said.split(",", -1)).map(String::strip).toList();
    }

    private void add(List<KubeObject> objects, String text) {
        held.addAll(objects);
        objects.forEach(live -> refs.add(live.ref()));
        why = why.isEmpty() ? text : why;
    }

    private static String text(String driver, List<ClaimUse> uses) {
        if (uses.isEmpty()) {
            return "resource claims are being listed: " + driver + " goes only when it has allocated none";
        }
        StringBuilder text = new StringBuilder()
                .append(uses.size() == 1 ? "1 claim has" : uses.size() + " claims have")
                .append(" devices of ")
                .append(driver)
                .append(", the first since ")
                .append(uses.get(0).since());
        String separator = ": ";
        for (ClaimUse use : uses.subList(0, Math.min(NAMED, uses.size()))) {
            text.append(separator).append(use.namespace()).append('/').append(use.name());
            if (!use.pods().isEmpty()) {
                text.append(" (pod ").append(String.join(", ", use.pods())).append(')');
            }
            separator = ", ";
        }
        return text.append("; end these pods, or annotate this with ")
                .append(MetadataKeys.ABANDON_CLAIMS)
                .append('=')
                .append(driver)
                .toString();
    }

    /** Without deletions of what has to stay. */
    public List<Write> filter(List<Write> writes) {
        return refs.isEmpty()
                ? writes
                : writes.stream()
                        .filter(write -> !(write instanceof Write.Delete delete) || !refs.contains(delete.ref()))
                        .toList();
    }

    /** What is waited for; empty when nothing is held. */
    public Optional<String> why() {
        return why.isEmpty() ? Optional.empty() : Optional.of(why);
    }

    /** Those whose objects have to stay, with the reason. */
    public HeldStates heldStates() {
        return new HeldStates(states(), why);
    }

    private SortedSet<String> states() {
        SortedSet<String> states = new TreeSet<>();
        held.forEach(live -> states.add(live.annotation(MetadataKeys.STATE).orElse("")));
        return states;
    }

    /** One for each state that stays although the recipe has it not. */
    public List<StateReport> reports() {
        Outcome outcome = Outcome.waiting(Reasons.CLAIMS_IN_USE, in.now(), why);
        TreeMap<String, PoolReport> none = new TreeMap<>(Map.of(StateReport.NO_POOL, PoolReport.of(Outcome.ready())));
        return states().stream()
                .map(state -> new StateReport(state, false, outcome, none))
                .toList();
    }

    /** Labels by which pods that have to stay are on their nodes, apart from those that say how far states are. */
    public SortedMap<String, String> nodeLabels() {
        SortedMap<String, String> labels = new TreeMap<>();
        for (KubeObject live : held) {
            if (live.ref().kind().equals("DaemonSet")) {
                ValueTrees.map(live.tree(), "spec", "template", "spec", "nodeSelector")
                        .forEach((key, value) -> {
                            if (MetadataKeys.stateLabelOwner(key).isEmpty()) {
                                labels.put(key, String.valueOf(value));
                            }
                        });
            }
        }
        return labels;
    }
}
