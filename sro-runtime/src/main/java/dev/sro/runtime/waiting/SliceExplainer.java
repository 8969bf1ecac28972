package dev.sro.runtime.waiting;

import dev.sro.core.claim.PodExplainer;
import dev.sro.core.claim.PodExplanation;
import dev.sro.core.claim.PodExplanation.State;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.runtime.scheduler.SoonTask;
import dev.sro.runtime.waiting.WaitingEvents.Told;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells why pods wait for slices, as long as it leads: one pod after the other, each once in some minutes at most, and no more than what a minute may
 * cost. What it has said is in the API server, so whoever starts anew says nothing twice. Thread-safe; what works runs one at a time on the executor.
 */
final class SliceExplainer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SliceExplainer.class);

    /**
     * How much it does.
     *
     * @param driver for whose devices pods wait
     * @param after how long a pod waits before it is explained
     * @param again the least between two explanations of a pod
     * @param gpusPerMinute GPUs that explanations look at, all together
     * @param writesPerMinute events and notes
     */
    record Settings(String driver, Duration after, Duration again, int gpusPerMinute, int writesPerMinute) {}

    /** What is known of a pod: what was found last, and when it is looked at again. */
    private record Known(State state, Instant next) {
        boolean told() {
            return WaitingReasons.of(state).isPresent();
        }
    }

    private record Due(Pod pod, Instant when) {}

    private final Settings settings;
    private final BooleanSupplier leads;
    private final Clock clock;
    private final WaitingCluster cluster;
    private final WaitingEvents events;
    private final ClaimNotes notes;
    private final ExplainerMetrics metrics;
    private final TokenBudget looks;
    private final TokenBudget writes;
    private final Map<String, Known> known = new HashMap<>();
    /** Of claims with notes that were written here the pods that they are about. */
    private final Map<String, String> owners = new HashMap<>();

    /** A look may take longer than the time between two. */
    private final SoonTask look;

    private boolean led;

    SliceExplainer(
            KubernetesClient client,
            Settings settings,
            Catalogue catalogue,
            BooleanSupplier leads,
            Clock clock,
            Executor executor) {
        this.settings = settings;
        this.leads = leads;
        this.clock = clock;
        this.look = new SoonTask(executor, "those who wait were not looked after", this::pass);
        this.cluster = new WaitingCluster(client, catalogue);
        this.events = new WaitingEvents(client, clock);
        this.notes = new ClaimNotes(client);
        this.metrics = new ExplainerMetrics(leads);
        this.looks = new TokenBudget(settings.gpusPerMinute(), clock);
        this.writes = new TokenBudget(settings.writesPerMinute(), clock);
    }

    /** Watches from now on. */
    void start() {
        cluster.start();
    }

    /** Whether all that is watched was seen once. */
    boolean isFilled() {
        return cluster.isFilled();
    }

    ExplainerMetrics metrics() {
        return metrics;
    }

    /** How often the fleet was read from its slices. */
    long fleetsRead() {
        return cluster.fleetsRead();
    }

    /** Looks after those who wait. To be called every few seconds. */
    void tick() {
        look.request();
    }

    private void pass() {
        if (!leads.getAsBoolean() || !isFilled()) {
            led = false;
            return;
        }
        if (!led) {
            known.clear();
            owners.clear();
            if (!events.restore()) {
                return;
            }
            led = true;
        }
        look(clock.instant());
    }

    private void look(Instant now) {
        List<Due> waiting = waiting();
        Set<String> uids = new HashSet<>();
        waiting.forEach(one -> uids.add(one.pod().getMetadata().getUid()));
        known.keySet().retainAll(uids);
        for (Due one : waiting) {
            if (one.when().isAfter(now) || !may()) {
                break;
            }
            attempt(one.pod(), now);
        }
        clear(uids);
        forget(uids);
        Map<State, Integer> states = new EnumMap<>(State.class);
        known.values().forEach(one -> states.merge(one.state(), 1, Integer::sum));
        metrics.waiting(states);
    }

    /** One pod that cannot be explained keeps no other one from it. */
    private void attempt(Pod pod, Instant now) {
        try {
            explain(pod, now);
        } catch (RuntimeException e) {
            known.put(pod.getMetadata().getUid(), new Known(State.ASKS_FOR_NONE, now.plus(settings.again())));
            LOG.atError()
                    .setCause(e)
                    .log(
                            "pod {}/{} cannot be explained",
                            pod.getMetadata().getNamespace(),
                            pod.getMetadata().getName());
        }
    }

    private boolean may() {
        return leads.getAsBoolean() && looks.allows() && writes.allows();
    }

    /** Pods that wait, with the time from which each may be looked at, the earliest first. */
    private List<Due> waiting() {
        List<Due> waiting = new ArrayList<>();
        for (Pod pod : cluster.pods()) {
            WaitingPods.since(pod).ifPresent(since -> waiting.add(new Due(pod, due(pod, since))));
        }
        waiting.sort(Comparator.comparing(Due::when)
                .thenComparing(one -> one.pod().getMetadata().getNamespace())
                .thenComparing(one -> one.pod().getMetadata().getName()));
        return waiting;
    }

    private Instant due(Pod pod, Instant since) {
        Instant first = since.plus(settings.after());
        Known before = known.get(pod.getMetadata().getUid());
        if (before != null) {
            return before.next();
        }
        return events.last(pod)
                .map(told -> told.when().plus(settings.again()))
                .filter(first::isBefore)
                .orElse(first);
    }

    private void explain(Pod pod, Instant now) {
        long read = cluster.fleetsRead();
        PodExplainer explainer = cluster.explainer();
        long gpus = Math.max(1, explainer.gpus());
        looks.spend(cluster.fleetsRead() == read ? 0 : gpus);
        String uid = pod.getMetadata().getUid();
        if (!explainer.asksFor(pod, settings.driver())) {
            known.put(uid, new Known(State.ASKS_FOR_NONE, now.plus(settings.again())));
            return;
        }
        PodExplanation explanation = explainer.explain(pod);
        looks.spend(gpus);
        metrics.explained(explanation.state());
        known.put(uid, new Known(explanation.state(), now.plus(settings.again())));
        WaitingReasons.of(explanation.state()).ifPresent(reason -> {
            String text = WaitingNote.text(pod, explanation);
            String note = ExplanationText.note(explanation);
            for (ResourceClaim claim : explainer.waitingClaims(pod)) {
                note(claim, pod, text);
                tell(claim, reason, note, now);
            }
            tell(pod, reason, note, now);
        });
    }

    /** The same is not told again, and something else not soon: a claim may be that of several pods. */
    private void tell(HasMetadata object, String reason, String note, Instant now) {
        Optional<Told> last = events.last(object);
        if (last.isPresent()
                && (last.get().reason().equals(reason)
                        || now.isBefore(last.get().when().plus(settings.again())))) {
            return;
        }
        if (leads.getAsBoolean()) {
            writes.spend(1);
            metrics.wrote("event", events.tell(object, reason, note));
        }
    }

    /** Of several pods that wait for one claim, the first that is told has it, as long as it waits. */
    private void note(ResourceClaim claim, Pod pod, String text) {
        Optional<ResourceClaim> now = cluster.claim(claim);
        if (now.isEmpty() || WaitingCluster.isAllocated(now.get())) {
            return;
        }
        boolean others = owner(now.get())
                .filter(uid -> !uid.equals(pod.getMetadata().getUid()))
                .flatMap(uid -> Optional.ofNullable(known.get(uid)))
                .filter(Known::told)
                .isPresent();
        if (!others && !WaitingNote.on(now.get()).equals(Optional.of(text))) {
            owners.put(claim.getMetadata().getUid(), pod.getMetadata().getUid());
            write(now.get(), Optional.of(text));
        }
    }

    /** The pod that a claim's note is about; what was written last may not have come back by the watch yet. */
    private Optional<String> owner(ResourceClaim claim) {
        return Optional.ofNullable(owners.get(claim.getMetadata().getUid()))
                .or(() -> WaitingNote.of(claim).map(WaitingNote::uid));
    }

    private void write(ResourceClaim claim, Optional<String> text) {
        if (leads.getAsBoolean()) {
            writes.spend(1);
            metrics.wrote("note", notes.write(claim, text));
        }
    }

    /** Takes notes away that are not true any more: the claim has devices, or its pod is gone or waits for something else. */
    private void clear(Set<String> waiting) {
        for (ResourceClaim claim : cluster.claims()) {
            if (ClaimNotes.has(claim) && !holds(claim, waiting)) {
                if (!writes.allows()) {
                    return;
                }
                owners.remove(claim.getMetadata().getUid());
                write(claim, Optional.empty());
            }
        }
    }

    private boolean holds(ResourceClaim claim, Set<String> waiting) {
        if (WaitingCluster.isAllocated(claim)) {
            return false;
        }
        Optional<String> uid = owner(claim).filter(waiting::contains);
        // Of a pod that was not looked at since the start nothing else is known.
        return uid.isPresent()
                && Optional.ofNullable(known.get(uid.get())).map(Known::told).orElse(true);
    }

    private void forget(Set<String> waiting) {
        Set<String> kept = new HashSet<>(waiting);
        cluster.claims().forEach(claim -> kept.add(claim.getMetadata().getUid()));
        events.retain(kept);
        owners.keySet().retainAll(kept);
    }

    @Override
    public void close() {
        cluster.close();
    }
}
