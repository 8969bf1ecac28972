package dev.sro.core.client.writer;

import dev.sro.api.resource.SpecialResource;
import dev.sro.core.engine.port.EventSink;
import dev.sro.core.model.Fnv1a64;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.plan.Transition;
import io.fabric8.kubernetes.api.model.MicroTime;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.events.v1.EventBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes events as {@code events.k8s.io/v1}, into the namespace where Kubernetes keeps those of objects that have none. An
 * event that repeats within some minutes becomes a series, and a special resource that goes on and on about itself is cut
 * off, both as Kubernetes' own components do it. An event that cannot be written is dropped. Thread-safe.
 */
public final class ClientEvents implements EventSink {

    private static final Logger LOG = LoggerFactory.getLogger(ClientEvents.class);

    public static final String NAMESPACE = "default";

    private static final String CONTROLLER = "sro.dev/sro";

    /** After this time without a repetition a series is over; client-go's number. */
    private static final Duration SERIES = Duration.ofMinutes(6);

    /** Events that a special resource may have at once, and the time after which it may have one more; client-go's numbers. */
    private static final int BURST = 25;

    /** Of these, how many only warnings may have: pods that come and go must not keep from anybody why something failed. */
    private static final int FOR_WARNINGS = 10;

    private static final Duration ONE_MORE = Duration.ofMinutes(5);

    /** How many different events, and special resources, are remembered. */
    private static final int REMEMBERED = 1_000;

    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private record Key(String uid, boolean warning, String reason, String message) {}

    private record Series(String name, Instant first, Instant last, int count) {}

    private record Budget(int left, Instant since) {}

    private final KubernetesClient client;
    private final Executor executor;
    private final Clock clock;
    private final String fieldManager;
    private final Map<Key, Series> known = remembering();
    private final Map<String, Budget> budgets = remembering();

    /**
     * @param client writes; needs {@code create} and {@code patch} on {@code events.events.k8s.io}
     * @param executor runs the requests
     * @param clock the time of the events
     */
    public ClientEvents(KubernetesClient client, Executor executor, Clock clock) {
        this(client, executor, clock, MetadataKeys.FIELD_MANAGER);
    }

    /**
     * The same by another name.
     *
     * @param fieldManager by which events are written
     */
    public ClientEvents(KubernetesClient client, Executor executor, Clock clock, String fieldManager) {
        this.fieldManager = fieldManager;
        this.client = client;
        this.executor = executor;
        this.clock = clock;
    }

    private static <K, V> Map<K, V> remembering() {
        return new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > REMEMBERED;
            }
        };
    }

    @Override
    public void publish(SpecialResource about, Transition event) {
        Instant now = clock.instant();
        next(about, event, now).ifPresent(series -> {
            Event object = object(about, event, series);
            try {
                executor.execute(() -> write(object));
            } catch (RejectedExecutionException e) {
                LOG.atDebug().log("event dropped: {}", e.getMessage());
            }
        });
    }

    private synchronized Optional<Series> next(SpecialResource about, Transition event, Instant now) {
        String uid = String.valueOf(about.getMetadata().getUid());
        Key key = new Key(uid, event.warning(), event.reason(), event.message());
        Series before = known.remove(key);
        Series series = before != null && now.isBefore(before.last.plus(SERIES))
                ? new Series(before.name, before.first, now, before.count + 1)
                : new Series(name(about, key, now), now, now, 1);
        known.put(key, series);
        return spend(uid, event.warning() ? 0 : FOR_WARNINGS, now) ? Optional.of(series) : Optional.empty();
    }

    /** @param kept for others */
    private boolean spend(String uid, int kept, Instant now) {
        Budget budget = budgets.getOrDefault(uid, new Budget(BURST, now));
        long earned = Duration.between(budget.since, now).dividedBy(ONE_MORE);
        if (earned > 0) {
            budget = new Budget(
                    (int) Math.min(BURST, budget.left + earned), budget.since.plus(ONE_MORE.multipliedBy(earned)));
        }
        budgets.remove(uid);
        boolean allowed = budget.left > kept;
        budgets.put(uid, new Budget(budget.left - (allowed ? 1 : 0), budget.since));
        return allowed;
    }

    private static String name(SpecialResource about, Key key, Instant now) {
        String unique = Fnv1a64.hex(key + "@" + now);
        return MetadataKeys.fit(about.getMetadata().getName(), 200) + "." + unique;
    }

    private static Event object(SpecialResource about, Transition event, Series series) {
        EventBuilder builder = new EventBuilder()
                .withNewMetadata()
                .withName(series.name)
                .withNamespace(NAMESPACE)
                .endMetadata()
                .withEventTime(time(series.first))
                .withReportingController(CONTROLLER)
                .withReportingInstance(CONTROLLER)
                .withAction("Reconcile")
                .withReason(event.reason())
                .withType(event.warning() ? "Warning" : "Normal")
                .withNote(event.message())
                .withNewRegarding()
                .withApiVersion(about.getApiVersion())
                .withKind(about.getKind())
                .withName(about.getMetadata().getName())
                .withUid(about.getMetadata().getUid())
                .endRegarding();
        if (series.count > 1) {
            builder.withNewSeries()
                    .withCount(series.count)
                    .withLastObservedTime(time(series.last))
                    .endSeries();
        }
        return builder.build();
    }

    private static MicroTime time(Instant instant) {
        return new MicroTime(MICROS.format(instant));
    }

    private void write(Event object) {
        try {
            client.resource(object)
                    .patch(new PatchContext.Builder()
                            .withPatchType(PatchType.SERVER_SIDE_APPLY)
                            .withFieldManager(fieldManager)
                            .withForce(true)
                            .build());
        } catch (RuntimeException e) {
            LOG.atDebug().addKeyValue("event", object.getMetadata().getName()).log("event dropped: {}", e.getMessage());
        }
    }
}
