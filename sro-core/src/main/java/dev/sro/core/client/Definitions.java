package dev.sro.core.client;

import dev.sro.api.Outcome;
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
 * definitions of a cluster may be many megabytes. Thread-safe.
 */
final class Definitions implements AutoCloseable {

    /** A definition is there a moment before what it defines is served. */
    private static final Duration SOON = Duration.ofSeconds(5);

    /** Where definitions may not be watched. */
    private static final Duration LOOK = Duration.ofMinutes(5);

    private final KubernetesClient client;
    private final Clock clock;
    private final Runnable changed;
    private final ConcurrentHashMap<String, KindWatch> watches = new ConcurrentHashMap<>();
    private final Set<String> present = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean stale = new AtomicBoolean();
    private volatile Instant lastLook;

    /**
     * @param changed called when a definition comes, changes or goes
     */
    Definitions(KubernetesClient client, Clock clock, Runnable changed) {
        this.client = client;
        this.clock = clock;
        this.lastLook = clock.instant();
        this.changed = changed;
    }

    /** Whether what the cluster serves has to be asked anew; true once for any number of changes. */
    boolean haveChanged() {
        return stale.get() && stale.getAndSet(false);
    }

    /**
     * Watches the definitions of these, without waiting.
     *
     * @param served what the cluster served when last asked
     * @return when to ask again, because no event will tell
     */
    Optional<Duration> watch(Set<String> resources, Set<String> served) {
        Optional<Duration> again = Optional.empty();
        for (String resource : resources) {
            KindWatch watch = watches.computeIfAbsent(resource, this::start);
            if (present.contains(resource) && !served.contains(resource)) {
                return Optional.of(SOON);
            }
            if (watch.obstacle(clock.instant())
                    .filter(Outcome.Failed.class::isInstance)
                    .isPresent()) {
                again = Optional.of(LOOK);
            }
        }
        return again;
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
    boolean check(Duration silence, Set<String> served) {
        watches.values().forEach(watch -> watch.check(silence));
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
        watches.values().forEach(KindWatch::close);
    }
}
