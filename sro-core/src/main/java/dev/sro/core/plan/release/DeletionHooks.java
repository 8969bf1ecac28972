package dev.sro.core.plan.release;

import dev.sro.api.Outcome;
import dev.sro.api.Problem;
import dev.sro.core.manifest.DesiredHook;
import dev.sro.core.manifest.HookEvent;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.plan.OwnedObjects;
import dev.sro.core.plan.Write;
import dev.sro.core.plan.removal.RemovalOrder;
import dev.sro.core.release.ReleaseRecord;
import dev.sro.core.release.ReleaseState;
import dev.sro.core.release.ReleaseStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Takes operands away state by state, the last one first, each between its hooks before and after deletion; then what hooks
 * made, then the records of the release. Hooks come out of the record: the recipe may not be at hand any more. Lives for one
 * plan.
 */
public final class DeletionHooks {

    private final ReleaseInput in;
    private final RemovalOrder departure;
    private final List<KubeObject> operands = new ArrayList<>();
    private final List<KubeObject> hookObjects = new ArrayList<>();
    private final List<KubeObject> secrets = new ArrayList<>();
    private final @Nullable ReleaseRecord record;
    private final HookRunner runner;
    private Optional<Problem> problem = Optional.empty();

    public DeletionHooks(ReleaseInput in, RemovalOrder departure, Collection<KubeObject> all) {
        this.in = in;
        this.departure = departure;
        for (KubeObject live : all) {
            if (ReleaseRecord.isOne(live)) {
                secrets.add(live);
            } else if (OwnedObjects.isHook(live)) {
                hookObjects.add(live);
            } else {
                operands.add(live);
            }
        }
        List<ReleaseRecord> records = ReleaseRecord.all(secrets);
        ReleaseRecord last = records.isEmpty() ? null : records.get(records.size() - 1);
        this.record = last == null || last.live().terminating() ? null : last;
        this.runner = new HookRunner(
                in,
                record == null ? new TreeMap<>() : record.state().hooks(),
                record == null ? "" : record.live().ref().toString());
    }

    public List<Write> plan() {
        if (in.unseenKinds().containsKey(ReleaseRecord.KIND_KEY)) {
            // There may be hooks, and nobody knows.
            return List.of();
        }
        List<Write> writes = new ArrayList<>(nextState()
                .orElseGet(() -> departure.lastWave(
                        hookObjects.isEmpty() ? secrets : hookObjects, "the special resource goes")));
        writes.addAll(runner.writes());
        record().ifPresent(writes::add);
        return writes;
    }

    /** What is to be done before the last state that is there is gone; empty when none is. */
    private Optional<List<Write>> nextState() {
        List<DesiredHook> hooks = hooks();
        NavigableSet<String> states = new TreeSet<>(departure.recipeOrder());
        hooks.forEach(hook -> states.add(hook.state()));
        operands.forEach(live -> states.add(state(live)));
        for (String state : states.descendingSet()) {
            if (!isDone(HookEvent.PRE_DELETE, state, hooks)) {
                return Optional.of(List.of());
            }
            List<KubeObject> doomed =
                    operands.stream().filter(live -> state(live).equals(state)).toList();
            if (!doomed.isEmpty()) {
                return Optional.of(departure.lastWave(doomed, "the special resource goes"));
            }
            if (!isDone(HookEvent.POST_DELETE, state, hooks)) {
                return Optional.of(List.of());
            }
        }
        return Optional.empty();
    }

    private static String state(KubeObject live) {
        return live.annotation(MetadataKeys.STATE).orElse("");
    }

    private boolean isDone(HookEvent event, String state, List<DesiredHook> hooks) {
        List<DesiredHook> due = hooks.stream()
                .filter(hook -> hook.state().equals(state) && hook.runsAt(event))
                .toList();
        Outcome outcome = runner.run(event, due);
        if (outcome instanceof Outcome.Failed failed) {
            problem = Optional.of(failed.problem());
        }
        return outcome.isReady();
    }

    private List<DesiredHook> hooks() {
        return record == null || isSkipped() || isNamespaceGoing(record)
                ? List.of()
                : record.hooks().stream()
                        .map(hook -> hook.by(in.account()))
                        .sorted(DesiredHook.ORDER)
                        .toList();
    }

    private boolean isSkipped() {
        Map<String, String> annotations = in.resource().getMetadata().getAnnotations();
        return annotations != null && "true".equals(annotations.get(MetadataKeys.SKIP_DELETE_HOOKS));
    }

    /** Nothing can be made in it any more. */
    private boolean isNamespaceGoing(ReleaseRecord last) {
        return in.owned().values().stream()
                .anyMatch(live -> live.ref().kind().equals("Namespace")
                        && live.ref().name().equals(last.live().ref().namespace())
                        && live.terminating());
    }

    private Optional<Write> record() {
        if (record == null
                || (operands.isEmpty()
                        && hookObjects.isEmpty()
                        && runner.runs().equals(record.state().hooks()))) {
            return Optional.empty();
        }
        ReleaseState now = record.state()
                .with(ReleaseStatus.UNINSTALLING, "Deletion in progress (or silently failed)")
                .with(runner.runs());
        return !in.refusals().allow(record.live().ref()) || now.equals(record.state())
                ? Optional.empty()
                : Optional.of(new Write.Apply(
                        record.with(in.resource(), in.account(), now, in.now()),
                        false,
                        "",
                        "",
                        now.status().word()));
    }

    /** What a hook that failed says; known after {@link #plan()}. */
    public Optional<Problem> problem() {
        return problem.or(() -> runner.passed().stream().findFirst());
    }

    /** When a hook has held up the deletion for long enough; known after {@link #plan()}. */
    public Optional<Instant> wakeUp() {
        return runner.wakeUp();
    }
}
