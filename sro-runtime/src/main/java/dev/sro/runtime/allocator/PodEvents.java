package dev.sro.runtime.allocator;

import io.fabric8.kubernetes.api.model.MicroTime;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.events.v1.EventBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells people by events of pods why they wait, once it is so for some seconds: most pods have what they wait for by then. The same is told once in ten
 * minutes; what cannot be written is dropped. Not thread-safe.
 */
final class PodEvents {
    private static final Logger LOG = LoggerFactory.getLogger(PodEvents.class);

    private static final Duration AGAIN = Duration.ofMinutes(10);
    private static final Duration LEAST = Duration.ofSeconds(10);
    private static final int MOST_TEXT = 1024;
    private static final Set<String> NORMAL = Set.of("SlicesWait", "SlicesMovable", "SlicesMoving");

    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private record Told(String text, Instant when) {}

    private final Map<String, Told> since = new HashMap<>();

    private final KubernetesClient client;
    private final Clock clock;
    /** What was told, by pod and reason: one is not told again because of another. */
    private final Map<String, Map<String, Told>> told = new HashMap<>();

    PodEvents(KubernetesClient client, Clock clock) {
        this.client = client;
        this.clock = clock;
    }

    /** Says why a pod waits, if it waits for the same for some time. */
    void waits(Pod pod, String text) {
        String uid = pod.getMetadata().getUid();
        Instant now = clock.instant();
        Told before = since.get(uid);
        if (before == null || !before.text().equals(text)) {
            since.put(uid, new Told(text, now));
        } else if (!now.isBefore(before.when().plus(LEAST))) {
            tell(pod, "SlicesWait", text);
        }
    }

    /** Says what happened to a pod. */
    void tell(Pod pod, String reason, String text) {
        String uid = pod.getMetadata().getUid();
        Map<String, Told> own = told.computeIfAbsent(uid, known -> new HashMap<>());
        Told before = own.get(reason);
        Instant now = clock.instant();
        if (before != null
                && before.text().equals(text)
                && now.isBefore(before.when().plus(AGAIN))) {
            return;
        }
        own.put(reason, new Told(text, now));
        LOG.atInfo().log("pod {}: {}", ObjectBook.key(pod), text);
        try {
            client.resource(new EventBuilder()
                            .withNewMetadata()
                            .withGenerateName(pod.getMetadata().getName() + "-")
                            .withNamespace(pod.getMetadata().getNamespace())
                            .endMetadata()
                            .withEventTime(new MicroTime(MICROS.format(now)))
                            .withReportingController("slices.sro.dev/allocator")
                            .withReportingInstance("sro")
                            .withAction("Placing")
                            .withReason(reason)
                            .withType(NORMAL.contains(reason) ? "Normal" : "Warning")
                            .withNote(text.length() > MOST_TEXT ? text.substring(0, MOST_TEXT) : text)
                            .withNewRegarding()
                            .withApiVersion("v1")
                            .withKind("Pod")
                            .withNamespace(pod.getMetadata().getNamespace())
                            .withName(pod.getMetadata().getName())
                            .withUid(uid)
                            .endRegarding()
                            .build())
                    .create();
        } catch (KubernetesClientException e) {
            LOG.atDebug().log("no event of pod {}: {}", ObjectBook.key(pod), e.getMessage());
        }
    }

    /** Forgets pods that are not among these. */
    void retain(Set<String> pods) {
        told.keySet().retainAll(pods);
        since.keySet().retainAll(pods);
    }
}
