package dev.sro.core.plan.release;

import dev.sro.api.Outcome;
import dev.sro.api.Problem;
import dev.sro.core.manifest.Adoption;
import dev.sro.core.manifest.Desired;
import dev.sro.core.manifest.DesiredHook;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.manifest.HookEvent;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.plan.Outcomes;
import dev.sro.core.plan.OwnedObjects;
import dev.sro.core.plan.StateReport;
import dev.sro.core.plan.Write;
import dev.sro.core.release.HookKeys;
import dev.sro.core.release.HookRun;
import dev.sro.core.release.HookRun.Phase;
import dev.sro.core.release.Release;
import dev.sro.core.release.ReleaseRecord;
import dev.sro.core.release.ReleaseState;
import dev.sro.core.release.ReleaseStatus;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the record of a chart's release, and runs the hooks that are due by it: those of an installation until everything was
 * ready once, those of an upgrade after that, each once for a version of chart, values and hooks. Lives for one plan.
 */
public final class ReleasePlanner {

    /** Helm's number of revisions that are kept. */
    static final int MAX_HISTORY = 10;

    private static final String NOT_RECORDED = "ReleaseNotRecorded";

    private final ReleaseInput in;
    private final Predicate<ObjectRef> wantedByStates;
    private final @Nullable Release release;
    private final List<ReleaseRecord> records;
    private final List<Write> writes = new ArrayList<>();
    private @Nullable ReleaseRecord current;
    private @Nullable ReleaseState state;
    private HookRunner runner;
    private Optional<Outcome> obstacle = Optional.empty();
    private Optional<Desired> missingNamespace = Optional.empty();

    public ReleasePlanner(ReleaseInput in, Predicate<ObjectRef> wantedByStates) {
        this.in = in;
        this.wantedByStates = wantedByStates;
        this.release = in.release().orElse(null);
        this.records =
                release == null ? List.of() : ReleaseRecord.all(in.owned().values());
        this.runner = new HookRunner(in, new TreeMap<>(), "");
        if (release != null) {
            begin(release);
        }
    }

    private void begin(Release wanted) {
        missingNamespace = missingNamespace(wanted.chart().namespace());
        obstacle = obstacle();
        if (obstacle.isPresent()) {
            return;
        }
        ReleaseRecord last = records.isEmpty() ? null : records.get(records.size() - 1);
        if (last != null
                && last.state().digest().equals(wanted.digest())
                && last.state().status() != ReleaseStatus.UNINSTALLING) {
            current = last;
            state = last.state();
            runner = new HookRunner(in, last.state().hooks(), secret(last.live().ref()));
        } else {
            state = next(wanted, last);
            ObjectRef ref =
                    ReleaseRecord.ref(wanted.chart().name(), wanted.chart().namespace(), state.revision());
            obstacle = Optional.of(in.refusals()
                    .hold(ref)
                    .map(problem -> Outcome.failed(problem))
                    .orElseGet(() ->
                            Outcome.waiting("ReleaseNotRecorded", in.now(), "revision " + ref + " is being recorded")));
            runner = new HookRunner(in, state.hooks(), secret(ref));
        }
    }

    /** The namespace of the record, where the recipe itself makes it and did not yet; one that is refused may be there. */
    private Optional<Desired> missingNamespace(String name) {
        ObjectRef ref = new ObjectRef("v1", "Namespace", "", name);
        if (in.namespace().isPresent()
                || in.owned().containsKey(ref)
                || in.refusals().of(ref).isPresent()) {
            return Optional.empty();
        }
        return in.states().stream()
                .flatMap(desired -> desired.shared().stream())
                .filter(desired -> desired.object().ref().equals(ref))
                .findFirst();
    }

    /**
     * The namespace, where hooks of its own state wait for the record that is to be in it: it comes before them.
     *
     * @param reports of all states
     */
    public Optional<Desired> namespaceOfHooks(List<StateReport> reports) {
        return missingNamespace.filter(desired -> reports.stream()
                .filter(report -> report.state().equals(desired.state()))
                .anyMatch(report -> report.outcome() instanceof Outcome.Waiting waiting
                        && waiting.reason().equals(NOT_RECORDED)));
    }

    private static String secret(ObjectRef ref) {
        return "-n " + ref.namespace() + " " + ref.name();
    }

    /** Why there can be no record now. */
    private Optional<Outcome> obstacle() {
        Outcome unseen = in.unseenKinds().get(ReleaseRecord.KIND_KEY);
        if (unseen != null) {
            return Optional.of(unseen);
        }
        if (missingNamespace.isPresent()) {
            return Optional.of(Outcome.waiting(
                    "ReleaseNotRecorded",
                    in.now(),
                    missingNamespace.get().object().ref() + " is made by the recipe, and is not there yet"));
        }
        return records.stream()
                .map(ReleaseRecord::live)
                .filter(live -> live.terminating() || OwnedObjects.isFormer(live, in.uid()))
                .findFirst()
                .map(live -> Outcome.waiting("Terminating", in.now(), live + " is being deleted"));
    }

    private ReleaseState next(Release wanted, @Nullable ReleaseRecord last) {
        int revision = last == null ? 1 : last.state().revision() + 1;
        if (last == null) {
            return revision(revision, wanted, false, false, alreadyRun(wanted), new TreeSet<>());
        }
        if (last.state().status() == ReleaseStatus.UNINSTALLING) {
            // What was half taken away is installed again.
            return revision(revision, wanted, false, false, new TreeMap<>(), new TreeSet<>());
        }
        boolean deployed =
                records.stream().anyMatch(record -> record.state().status().wasDeployed());
        ReleaseState before = last.state();
        return before.key().equals(wanted.key())
                ? revision(revision, wanted, deployed, before.upgrade(), before.hooks(), before.pools())
                : revision(revision, wanted, deployed, deployed, new TreeMap<>(), before.pools());
    }

    /** What the Special Resource Operator has installed is not installed again. */
    private SortedMap<String, HookRun> alreadyRun(Release wanted) {
        SortedMap<String, HookRun> runs = new TreeMap<>();
        boolean adopted = in.owned().values().stream()
                .anyMatch(live -> Adoption.isFormer(live)
                        || live.annotation(MetadataKeys.ADOPTED).isPresent());
        if (adopted) {
            for (HookEvent event : List.of(HookEvent.PRE_INSTALL, HookEvent.POST_INSTALL)) {
                for (DesiredState desired : wanted.states()) {
                    List<DesiredHook> hooks = desired.hooks().stream()
                            .filter(hook -> hook.runsAt(event))
                            .toList();
                    HookKeys.assign(event, hooks)
                            .keySet()
                            .forEach(key -> runs.put(key, new HookRun(Phase.SUCCEEDED, in.now(), "")));
                }
            }
        }
        return runs;
    }

    private static ReleaseState revision(
            int revision,
            Release wanted,
            boolean deployed,
            boolean upgrade,
            SortedMap<String, HookRun> hooks,
            SortedSet<String> pools) {
        return new ReleaseState(
                revision,
                deployed ? ReleaseStatus.PENDING_UPGRADE : ReleaseStatus.PENDING_INSTALL,
                wanted.key(),
                wanted.digest(),
                upgrade,
                hooks,
                pools,
                deployed ? "Preparing upgrade" : "Initial install underway");
    }

    /** What keeps the objects of a state from being written: its hooks that come first. */
    public Outcome before(DesiredState desired) {
        return run(desired, HookEvent.PRE_INSTALL, HookEvent.PRE_UPGRADE);
    }

    /** What keeps a state whose objects are ready from being so: its hooks that come last. */
    public Outcome after(DesiredState desired) {
        return run(desired, HookEvent.POST_INSTALL, HookEvent.POST_UPGRADE);
    }

    private Outcome run(DesiredState desired, HookEvent install, HookEvent upgrade) {
        if (desired.hooks().stream().noneMatch(hook -> hook.runsAt(install) || hook.runsAt(upgrade))) {
            return Outcome.ready();
        }
        ReleaseState now = state;
        if (release == null) {
            return Outcome.waiting(
                    "ReleaseNotRecorded", in.now(), "its hooks wait until all states of the chart can be rendered");
        }
        if (now == null || obstacle.isPresent()) {
            return obstacle.orElse(Outcome.ready());
        }
        Outcome first = runner.run(install, due(desired, install, now, false));
        return first.isReady() ? runner.run(upgrade, due(desired, upgrade, now, true)) : first;
    }

    /** A pool that is new is installed, whatever the others are. */
    private List<DesiredHook> due(DesiredState desired, HookEvent event, ReleaseState now, boolean upgrade) {
        return desired.hooks().stream()
                .filter(hook -> hook.runsAt(event))
                .filter(hook -> upgrade == (now.upgrade() && !isNew(hook, now)))
                .toList();
    }

    private static boolean isNew(DesiredHook hook, ReleaseState now) {
        return !hook.pool().isEmpty() && !now.pools().contains(hook.pool());
    }

    /** What is to be written, once all states are planned. */
    public List<Write> plan(List<StateReport> reports) {
        ReleaseState planned = state;
        if (release != null && planned != null) {
            record(release, effective(release, planned.with(runner.runs()), reports));
        }
        writes.addAll(runner.writes());
        if (release != null) {
            sweep(release);
        }
        return writes;
    }

    private ReleaseState effective(Release wanted, ReleaseState planned, List<StateReport> reports) {
        boolean ready = current != null
                && reports.stream().allMatch(report -> report.outcome().isReady());
        if (ready) {
            Set<String> pools = wanted.hooks().stream()
                    .map(DesiredHook::pool)
                    .filter(pool -> !pool.isEmpty())
                    .collect(Collectors.toSet());
            ReleaseState done = planned.with(pools);
            return done.status() == ReleaseStatus.DEPLOYED
                    ? done
                    : done.with(ReleaseStatus.DEPLOYED, done.revision() == 1 ? "Install complete" : "Upgrade complete");
        }
        Optional<Problem> problem = reports.stream()
                .map(StateReport::outcome)
                .filter(Outcome.Failed.class::isInstance)
                .map(outcome -> ((Outcome.Failed) outcome).problem())
                .findFirst();
        return current != null && planned.status().isPending() && problem.isPresent()
                ? planned.with(
                        ReleaseStatus.FAILED,
                        Outcomes.shorten(
                                problem.get().code() + ": " + problem.get().message()))
                : planned;
    }

    private void record(Release wanted, ReleaseState now) {
        if (current == null) {
            apply(
                    ReleaseRecord.first(in.resource(), in.account(), wanted, now, firstDeployed(), in.now()),
                    true,
                    "new revision");
        } else if (!now.equals(current.state())) {
            apply(
                    current.with(in.resource(), in.account(), now, in.now()),
                    false,
                    now.status().word());
        }
        for (ReleaseRecord record : records) {
            if (current == null || record.state().revision() != current.state().revision()) {
                if (isElsewhere(record) && now.status() == ReleaseStatus.DEPLOYED) {
                    leave(record);
                } else {
                    retire(record, now);
                }
            }
        }
        prune();
    }

    /** In a namespace where the operands were before. */
    private boolean isElsewhere(ReleaseRecord record) {
        return release != null
                && !record.live().ref().namespace().equals(release.chart().namespace());
    }

    private void leave(ReleaseRecord record) {
        if (in.refusals().allow(record.live().ref())) {
            delete(record.live(), "the release is in another namespace now");
        }
    }

    private String firstDeployed() {
        return records.isEmpty()
                ? ""
                : ValueTrees.text(records.get(records.size() - 1).content(), "info", "first_deployed");
    }

    /** An older revision: superseded when the new one is deployed, failed when it never was. */
    private void retire(ReleaseRecord record, ReleaseState now) {
        ReleaseState old = record.state();
        if (old.status() == ReleaseStatus.DEPLOYED && now.status() == ReleaseStatus.DEPLOYED) {
            apply(
                    record.with(
                            in.resource(),
                            in.account(),
                            old.with(ReleaseStatus.SUPERSEDED, old.description()),
                            in.now()),
                    false,
                    "superseded");
        } else if (old.status().isPending() || old.status() == ReleaseStatus.UNINSTALLING) {
            String why = "Replaced by revision " + now.revision() + " before it was complete";
            apply(
                    record.with(in.resource(), in.account(), old.with(ReleaseStatus.FAILED, why), in.now()),
                    false,
                    "replaced");
        }
    }

    private void prune() {
        int surplus = records.size() + (current == null ? 1 : 0) - MAX_HISTORY;
        for (ReleaseRecord record : records) {
            if (surplus <= 0) {
                return;
            }
            if (record.state().status() != ReleaseStatus.DEPLOYED) {
                surplus--;
                if (in.refusals().allow(record.live().ref())) {
                    delete(record.live(), "more than " + MAX_HISTORY + " revisions");
                }
            }
        }
    }

    /** Objects of hooks that the chart has no more. */
    private void sweep(Release wanted) {
        if (!in.unseenKinds().isEmpty()) {
            return;
        }
        Set<ObjectRef> known = new HashSet<>();
        wanted.hooks().forEach(hook -> known.add(hook.object().ref()));
        in.owned().values().stream()
                .filter(live -> OwnedObjects.isHook(live) && !live.terminating())
                .filter(live -> !known.contains(live.ref()) && !wantedByStates.test(live.ref()))
                .filter(live -> !OwnedObjects.isControlledElsewhere(live) && !OwnedObjects.isKept(live))
                .filter(live -> in.refusals().allow(live.ref()))
                .sorted((a, b) -> a.ref().compareTo(b.ref()))
                .forEach(live -> delete(live, "the chart has no such hook any more"));
    }

    private void apply(KubeObject secret, boolean create, String why) {
        if (in.refusals().allow(secret.ref())) {
            writes.add(new Write.Apply(secret, create, "", "", why));
        }
    }

    private void delete(KubeObject live, String why) {
        writes.add(Write.Delete.of(live, OwnedObjects.isWorkload(live.ref()), "", "", why));
    }

    /** Why the release is not recorded, where that holds up nothing. */
    public Optional<String> warning() {
        return obstacle.filter(Outcome::isFailed)
                .map(outcome -> "the release is not recorded: "
                        + ((Outcome.Failed) outcome).problem().message());
    }
}
