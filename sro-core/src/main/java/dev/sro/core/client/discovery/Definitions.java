package dev.sro.core.client.discovery;

import dev.sro.api.Outcome;
import dev.sro.core.client.watch.KindWatch;
import dev.sro.core.client.watch.WatchSweep;
import dev.sro.core.engine.port.Timers;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Tells when resources come to be served that recipes use where they are. Each has a watch of its one CustomResourceDefinition: all
 * definitions of a cluster may be many megabytes. It is open until no plan asks for it any more: see {@link WatchSweep}. Thread-safe.
 */
public final class Definitions implements AutoCloseable {

    /** A definition is there a moment before what it defines is served. */
    private static final Duration SOON = Duration.ofSeconds(5);

    /** Where definitions may not be watched. */
    private static final Duration LOOK = Duration.ofMinutes(5);

    /** Asked for, whatever plans ask. */
    private static final long KEPT = Long.MAX_VALUE;

    private record DefinitionWatch(KindWatch watch, long at) {
        DefinitionWatch again(long now) {
            return now <= at ? this : new DefinitionWatch(watch, now);
        }
    }

    private final KubernetesClient client;
    private final Clock clock;
    private final WatchSweep sweep;
    private final Runnable changed;
    private final ConcurrentHashMap<String, DefinitionWatch> watches = new ConcurrentHashMap<>();
    private final Set<String> present = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean stale = new AtomicBoolean();
    private volatile Instant lastLook;

    /**
     * @param changed called when a definition comes, changes or goes
     */
    public Definitions(KubernetesClient client, Clock clock, Timers timers, Runnable changed) {
        this.client = client;
        this.clock = clock;
        this.lastLook = clock.instant();
        this.changed = changed;
        this.sweep = new WatchSweep(timers, this::drop);
    }

    /** Whether what the cluster serves has to be asked anew; true once for any number of changes. */
    public boolean haveChanged() {
        return stale.get() && stale.getAndSet(false);
    }

    /** Everybody is reconciled now, and asks again for what is needed. */
    public void doubt() {
        sweep.doubt();
    }

    /** Watches the definitions of these until {@link #release}, whoever asks for them. */
    public Optional<Duration> keep(Set<String> resources, Set<String> served) {
        return watch(resources, served, KEPT);
    }

    /**
     * They came: from now on these are watched as long as plans ask for it. Everybody must be reconciled after this.
     *
     * @return whether any was kept
     */
    public boolean release(Set<String> resources) {
        boolean any = false;
        for (String resource : resources) {
            DefinitionWatch known = watches.get(resource);
            any |= known != null
                    && known.at == KEPT
                    && watches.replace(resource, known, new DefinitionWatch(known.watch, sweep.now()));
        }
        if (any) {
            sweep.doubt();
        }
        return any;
    }

    /**
     * Watches the definitions of these as long as it is asked for, without waiting.
     *
     * @param served what the cluster served when last asked
     * @return when to ask again, because no event will tell
     */
    public Optional<Duration> watch(Set<String> resources, Set<String> served) {
        return watch(resources, served, sweep.now());
    }

    private Optional<Duration> watch(Set<String> resources, Set<String> served, long now) {
        boolean soon = false;
        boolean unseen = false;
        for (String resource : resources) {
            DefinitionWatch asked = watches.compute(
                    resource, (key, known) -> known == null ? new DefinitionWatch(start(key), now) : known.again(now));
            soon |= present.contains(resource) && !served.contains(resource);
            unseen |= asked.watch
                    .obstacle(clock.instant())
                    .filter(Outcome.Failed.class::isInstance)
                    .isPresent();
        }
        return soon ? Optional.of(SOON) : unseen ? Optional.of(LOOK) : Optional.empty();
    }

    private KindWatch start(String resource) {
        return KindWatch.start(
                "CustomResourceDefinition " + resource,
                () -> client.apiextensions()
                        .v1()
                        .customResourceDefinitions()
                        .withField("metadata.name", resource)
                        .runnableInformer(0),
                definition -> new CustomResourceDefinition(),
                new KindWatch.Handlers<>(seen -> changed(resource, true), gone -> changed(resource, false)),
                changed,
                clock);
    }

    private void drop(long since) {
        watches.forEach((resource, asked) -> {
            // Who asks meanwhile finds another value there, and the watch open.
            if (asked.at < since && watches.remove(resource, asked)) {
                asked.watch.close();
                present.remove(resource);
            }
        });
    }

    private void changed(String resource, boolean there) {
        if (there) {
            present.add(resource);
        } else {
            present.remove(resource);
        }
        stale.set(true);
        changed.run();
    }

    /**
     * Looks after the watches; see {@link KindWatch#check}.
     *
     * @return whether to ask anew what is served: kinds of Kubernetes' own come with a new API server, without a definition
     */
    public boolean check(Duration silence, Set<String> served) {
        watches.values().forEach(asked -> asked.watch.check(silence));
        Instant now = clock.instant();
        boolean lacking =
                watches.keySet().stream().anyMatch(resource -> isKubernetes(resource) && !served.contains(resource));
        if (!lacking || lastLook.plus(silence).isAfter(now)) {
            return false;
        }
        lastLook = now;
        stale.set(true);
        return true;
    }

    private static boolean isKubernetes(String resource) {
        String group = resource.substring(resource.indexOf('.') + 1);
        return group.endsWith(".k8s.io") || group.indexOf('.') < 0;
    }

    @Override
    public void close() {
        sweep.close();
        watches.values().forEach(asked -> asked.watch.close());
    }
}
