package dev.sro.core.plan.planner;

import dev.sro.api.Outcome;
import dev.sro.api.Problem;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.manifest.AccountManifests;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.plan.AnswerLookup;
import dev.sro.core.plan.Dependency;
import dev.sro.core.plan.OwnedObjects;
import dev.sro.core.plan.Plan;
import dev.sro.core.plan.Write;
import dev.sro.core.plan.node.TaintPlanner;
import dev.sro.core.plan.release.DeletionHooks;
import dev.sro.core.plan.removal.ClaimHold;
import dev.sro.core.plan.removal.RemovalOrder;
import dev.sro.core.plan.status.ManagedKinds;
import dev.sro.core.plan.status.StatusBuilder;
import dev.sro.core.plan.validation.VerdictPlanner;
import dev.sro.core.plan.worker.Workers;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Takes everything away again: states in reverse order, each when the one after it is gone, then the namespace if it is
 * ours, then node labels, then the finalizer. Stateless.
 */
final class Teardown {

    private Teardown() {}

    /**
     * @param deleted whether the special resource itself goes too
     */
    static Plan plan(PlanInput in, boolean deleted) {
        List<Write> work = new ArrayList<>();
        List<KubeObject> operands = new ArrayList<>();
        List<KubeObject> namespaces = new ArrayList<>();
        for (KubeObject live : in.owned().values()) {
            if (AccountManifests.isOne(live)) {
                // By its rights the others go.
                namespaces.add(live);
            } else if (live.ref().kind().equals("Namespace")) {
                if (!hasKept(in, live.ref().name())) {
                    namespaces.add(live);
                }
            } else if (!OwnedObjects.isControlledElsewhere(live) && !OwnedObjects.isKept(live)) {
                operands.add(live);
            }
        }
        AnswerLookup asks = in.inquiry();
        RemovalOrder departure = new RemovalOrder(in, asks);
        boolean blind = !in.unseenKinds().isEmpty();
        // What unloads stays until everything is unloaded, which begins when everything else is gone.
        Workers workers = Workers.leaving(in);
        List<KubeObject> others = operands.stream()
                .filter(live -> !workers.isBusy() || !workers.needs(live))
                .toList();
        boolean unloads = workers.isBusy() && others.isEmpty() && !blind;
        DeletionHooks hooks = new DeletionHooks(in, departure, others);
        ClaimHold hold = ClaimHold.ofAll(in, asks, others);
        if (unloads) {
            work.addAll(workers.labelWrites(manager(in)));
            work.addAll(workers.writes());
        } else {
            work.addAll(hold.filter(hooks.plan()));
        }
        // The account goes last, and nothing is seen by it any more: before, it is recorded that nothing else is left.
        Optional<ManagedKinds> left =
                operands.isEmpty() && !blind && namespaces.stream().anyMatch(AccountManifests::isOne)
                        ? Optional.of(ManagedKinds.of(in.resource(), namespaces))
                        : Optional.empty();
        boolean recorded =
                left.isEmpty() || left.get().containsAll(in.resource().getStatus());
        if (operands.isEmpty() && !blind && recorded && !in.namespaceInUse()) {
            work.addAll(departure.lastWave(namespaces, "the special resource goes"));
        }
        boolean gone = operands.isEmpty() && namespaces.isEmpty() && !blind;
        List<ObservedNode> holding = gone ? holding(in) : List.of();
        TaintPlanner taints = new TaintPlanner(in);
        work.addAll(taints.release());
        VerdictPlanner verdicts = new VerdictPlanner(in);
        if (gone) {
            work.addAll(verdicts.release());
        }
        work.addAll(
                release(holding.stream().filter(node -> !taints.isTainted(node)).toList(), in));
        boolean done = gone && holding.isEmpty() && !taints.isAnyTainted() && !verdicts.isAnyJudged();
        StatusBuilder status = new StatusBuilder(
                in,
                List.of(),
                in.nodeProblems(),
                work,
                problem(operands, holding, hooks, departure, in)
                        .or(() -> unloads ? workers.conflict(manager(in)) : Optional.empty())
                        .or(() -> workers.problems().values().stream().findFirst())
                        .or(() -> verdicts.problems().values().stream().findFirst()),
                Optional.empty());
        left.ifPresent(status::onlyLeft);
        List<Write> writes = new ArrayList<>(work);
        if (done) {
            new TreeMap<>(in.leavingDependencies())
                    .forEach((ref, uid) -> writes.add(new Write.Delete(
                            ref, uid, false, Dependency.STATE, "", "the special resource that needed it goes")));
        }
        if (deleted && done && in.resource().getMetadata().getFinalizers().contains(MetadataKeys.FINALIZER)) {
            writes.add(new Write.SetFinalizer(in.self(), in.uid(), false));
        } else if (!done || !deleted) {
            String waiting = hold.why().orElseGet(() -> waitsFor(others, departure));
            status.writeTeardown(deleted, done, operands.size() + namespaces.size(), waiting, hold.heldStates())
                    .ifPresent(writes::add);
        }
        return Plan.builder()
                .writes(writes)
                .transitions(status.transitions())
                .wakeUp(Stream.of(
                                PlanCompletion.wakeUp(in, status),
                                hooks.wakeUp(),
                                Optional.of(workers.wakeUp()).filter(Instant.MAX::isAfter))
                        .flatMap(Optional::stream)
                        .min(Instant::compareTo))
                .done(done)
                .build()
                .leaving(Stream.concat(operands.stream(), namespaces.stream())
                        .map(KubeObject::ref)
                        .toList())
                .demanding(asks.demands());
    }

    /** What the plugin does not let go yet, in its words; empty where it lets all go. */
    private static String waitsFor(List<KubeObject> operands, RemovalOrder departure) {
        return departure.lastOf(operands).stream()
                .map(departure::mayGo)
                .filter(Outcome.Waiting.class::isInstance)
                .map(outcome -> ((Outcome.Waiting) outcome).on())
                .findFirst()
                .orElse("");
    }

    /** A namespace with something in it that stays has to stay too. */
    private static boolean hasKept(PlanInput in, String namespace) {
        return in.owned().values().stream()
                .anyMatch(live -> OwnedObjects.isKept(live)
                        && (live.ref().namespace().equals(namespace)
                                || (live.ref().kind().equals("Namespace")
                                        && live.ref().name().equals(namespace))));
    }

    /** Nodes that still carry labels of the special resource. */
    private static List<ObservedNode> holding(PlanInput in) {
        String manager = manager(in);
        Map<String, ObservedNode> holding = new TreeMap<>();
        Stream.concat(in.nodes().values().stream(), in.strays().stream())
                .filter(node ->
                        !node.appliedLabels().getOrDefault(manager, Set.of()).isEmpty())
                .forEach(node -> holding.put(node.name(), node));
        return List.copyOf(holding.values());
    }

    private static List<Write> release(List<ObservedNode> holding, PlanInput in) {
        List<Write> writes = new ArrayList<>();
        for (ObservedNode node : holding) {
            Write release = new Write.LabelNode(node.name(), node.uid(), manager(in), new TreeMap<>());
            if (in.refusals().allow(release.ref())) {
                writes.add(release);
            }
        }
        return writes;
    }

    /** Why it does not go on: something cannot be seen, deleted or released. */
    private static Optional<Problem> problem(
            List<KubeObject> operands,
            List<ObservedNode> holding,
            DeletionHooks hooks,
            RemovalOrder departure,
            PlanInput in) {
        Optional<Problem> unseen = new TreeMap<>(in.unseenKinds())
                .values().stream()
                        .filter(Outcome.Failed.class::isInstance)
                        .map(outcome -> ((Outcome.Failed) outcome).problem())
                        .findFirst();
        Optional<Problem> kept = departure.problem(operands);
        Optional<Problem> held = holding.stream()
                .flatMap(node -> in.refusals().problem(new ObjectRef("v1", "Node", "", node.name())).stream())
                .findFirst();
        return unseen.or(() -> kept).or(() -> held).or(hooks::problem);
    }

    private static String manager(PlanInput in) {
        return MetadataKeys.nodeManager(in.resource().getMetadata().getName());
    }
}
