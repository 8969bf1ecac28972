package dev.sro.runtime.waiting;

import dev.sro.core.model.Fnv1a64;
import dev.sro.core.model.MetadataKeys;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.MicroTime;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.events.v1.EventBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Events of pods and claims, and what they told last. That is in the API server, as long as it keeps events, so whoever starts anew says nothing twice.
 * Not thread-safe.
 */
final class WaitingEvents {
    private static final Logger LOG = LoggerFactory.getLogger(WaitingEvents.class);

    /** Who tells. */
    static final String CONTROLLER = "slices.sro.dev/explainer";

    /** Characters of a name of an object in the name of its event, which may have 253 with the rest. */
    private static final int MOST_NAME = 200;

    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    /** What was told last of an object. */
    record Told(String reason, Instant when) {}

    private final KubernetesClient client;
    private final Clock clock;
    private final Map<String, Told> told = new HashMap<>();

    WaitingEvents(KubernetesClient client, Clock clock) {
        this.client = client;
        this.clock = clock;
    }

    /** Finds out what was told before; false if the server does not say. */
    boolean restore() {
        try {
            told.clear();
            client.resources(Event.class)
                    .inAnyNamespace()
                    .withField("reportingController", CONTROLLER)
                    .list()
                    .getItems()
                    .forEach(this::remember);
            return true;
        } catch (KubernetesClientException e) {
            LOG.atWarn().log("events cannot be read, so nothing is told yet: {}", e.getMessage());
            return false;
        }
    }

    private void remember(Event event) {
        ObjectReference about = event.getRegarding();
        String uid = about == null ? null : about.getUid();
        Optional<Instant> when = time(event.getEventTime());
        if (uid != null && when.isPresent() && event.getReason() != null) {
            told.merge(
                    uid,
                    new Told(event.getReason(), when.get()),
                    (a, b) -> a.when().isAfter(b.when()) ? a : b);
        }
    }

    private static Optional<Instant> time(@Nullable MicroTime time) {
        try {
            return Optional.ofNullable(time == null ? null : time.getTime()).map(Instant::parse);
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /** What an object was told last. */
    Optional<Told> last(HasMetadata object) {
        return Optional.ofNullable(told.get(object.getMetadata().getUid()));
    }

    /** Tells it; false if the server does not take it. */
    boolean tell(HasMetadata object, String reason, String note) {
        Instant now = clock.instant();
        String uid = object.getMetadata().getUid();
        String name = MetadataKeys.fit(object.getMetadata().getName(), MOST_NAME) + "."
                + Fnv1a64.hex(uid + "@" + reason + "@" + now);
        try {
            client.resource(new EventBuilder()
                            .withNewMetadata()
                            .withName(name)
                            .withNamespace(object.getMetadata().getNamespace())
                            .endMetadata()
                            .withEventTime(new MicroTime(MICROS.format(now)))
                            .withReportingController(CONTROLLER)
                            .withReportingInstance("sro")
                            .withAction("Explaining")
                            .withReason(reason)
                            .withType("Normal")
                            .withNote(note)
                            .withNewRegarding()
                            .withApiVersion(object.getApiVersion())
                            .withKind(object.getKind())
                            .withNamespace(object.getMetadata().getNamespace())
                            .withName(object.getMetadata().getName())
                            .withUid(uid)
                            .endRegarding()
                            .build())
                    .create();
            told.put(uid, new Told(reason, now));
            return true;
        } catch (KubernetesClientException e) {
            LOG.atDebug().log(
                    "no event of {} {}/{}: {}",
                    object.getKind(),
                    object.getMetadata().getNamespace(),
                    object.getMetadata().getName(),
                    e.getMessage());
            return false;
        }
    }

    /** Forgets all other objects. */
    void retain(Set<String> uids) {
        told.keySet().retainAll(uids);
    }
}
