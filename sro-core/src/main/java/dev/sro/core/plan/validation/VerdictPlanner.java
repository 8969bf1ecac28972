package dev.sro.core.plan.validation;

import dev.sro.api.Outcome;
import dev.sro.api.Pool;
import dev.sro.api.Problem;
import dev.sro.api.State;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.NodeVerdict;
import dev.sro.core.plan.Outcomes;
import dev.sro.core.plan.PoolReport;
import dev.sro.core.plan.StateNodes;
import dev.sro.core.plan.StateReport;
import dev.sro.core.plan.Write;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Plans the conditions of nodes that carry the results of validations. Lives for one plan. */
public final class VerdictPlanner {

    private final ValidationInput in;
    private final String manager;
    private final Map<String, State> judged = new HashMap<>();
    private final SortedMap<String, Problem> problems = new TreeMap<>();

    public VerdictPlanner(ValidationInput in) {
        this.in = in;
        this.manager = MetadataKeys.nodeManager(in.resource().getMetadata().getName());
        for (DesiredState desired : in.states()) {
            if (desired.state().limits().isPresent()
                    && desired.state().limits().get().nodeCondition().isPresent()) {
                judged.put(desired.state().id(), desired.state());
            }
        }
    }

    /** Nodes whose conditions cannot be written; complete when planned. */
    public SortedMap<String, Problem> problems() {
        return problems;
    }

    public List<Write> plan(List<StateReport> reports) {
        List<Write> writes = new ArrayList<>();
        for (Pool pool : in.pools()) {
            for (ObservedNode node : in.members().getOrDefault(pool.name(), List.of())) {
                write(writes, node, wanted(node, pool, reports));
            }
        }
        in.strays().forEach(stray -> write(writes, stray, new TreeMap<>()));
        return writes;
    }

    /** Takes all of them away. */
    public List<Write> release() {
        List<Write> writes = new ArrayList<>();
        holding().forEach(node -> write(writes, node, new TreeMap<>()));
        return writes;
    }

    /** Whether there is a node that has one. */
    public boolean isAnyJudged() {
        return holding().findAny().isPresent();
    }

    private Stream<ObservedNode> holding() {
        return Stream.concat(in.nodes().values().stream(), in.strays().stream())
                .filter(node -> node.holds().verdicts().containsKey(manager));
    }

    private SortedMap<String, NodeVerdict> wanted(ObservedNode node, Pool pool, List<StateReport> reports) {
        SortedMap<String, NodeVerdict> wanted = new TreeMap<>();
        if (judged.isEmpty()) {
            return wanted;
        }
        SortedMap<String, NodeVerdict> held = held(node);
        for (StateReport report : reports) {
            State state = judged.get(report.state());
            if (state == null || !StateNodes.isFor(state, node.facts().labels())) {
                continue;
            }
            String type = state.limits().orElseThrow().nodeCondition().orElseThrow();
            PoolReport inPool = report.in(pool.name());
            NodeVerdict before = held.get(type);
            NodeVerdict now =
                    verdict(node, inPool == null ? null : inPool.nodes().get(node.name()), before);
            if (now != null) {
                wanted.put(type, now);
            }
        }
        return wanted;
    }

    /** While nothing is known of a node, or it does not answer, its condition stays as it is. */
    private @Nullable NodeVerdict verdict(ObservedNode node, @Nullable Outcome outcome, @Nullable NodeVerdict before) {
        if (outcome == null || (!outcome.isReady() && !node.facts().ready())) {
            return before;
        }
        if (outcome.isReady()) {
            return verdict("True", "Validated", "", before);
        }
        if (outcome instanceof Outcome.Failed failed) {
            return verdict("False", failed.problem().code(), failed.problem().message(), before);
        }
        return before != null && outcome instanceof Outcome.Waiting waiting
                ? verdict("Unknown", waiting.reason(), waiting.on(), before)
                : before;
    }

    private NodeVerdict verdict(String status, String reason, String message, @Nullable NodeVerdict before) {
        String since = before != null && before.status().equals(status) ? before.since() : Outcomes.time(in.now());
        return new NodeVerdict(status, reason, Outcomes.shorten(message), since);
    }

    private SortedMap<String, NodeVerdict> held(ObservedNode node) {
        return node.holds().verdicts().getOrDefault(manager, new TreeMap<>());
    }

    private void write(List<Write> writes, ObservedNode node, SortedMap<String, NodeVerdict> wanted) {
        SortedMap<String, NodeVerdict> held = held(node);
        boolean same = held.size() == wanted.size()
                && wanted.entrySet().stream().allMatch(one -> one.getValue().isLike(held.get(one.getKey())));
        if (same) {
            return;
        }
        Write write = new Write.JudgeNode(node.name(), node.uid(), manager, wanted);
        in.refusals().problem(write.ref()).ifPresent(problem -> problems.put(node.name(), problem));
        if (in.refusals().allow(write.ref())) {
            writes.add(write);
        }
    }
}
