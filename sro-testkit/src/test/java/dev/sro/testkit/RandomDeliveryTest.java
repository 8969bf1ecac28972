package dev.sro.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Watch events that come when the seed says. */
final class RandomDeliveryTest {

    private static final Duration SLOWEST = Duration.ofSeconds(3);
    private static final int WRITES = 8;

    /** What one seed does: for each of two watches, which write each event was ahead of, and in the end all events. */
    private static List<List<String>> deliveries(long seed) {
        try (EmbeddedCluster cluster =
                EmbeddedCluster.builder().seed(seed).randomDelivery(SLOWEST).build()) {
            List<List<String>> seen = List.of(new ArrayList<>(), new ArrayList<>());
            List<String> written = new ArrayList<>();
            List<Watch> watches = new ArrayList<>();
            for (List<String> one : seen) {
                watches.add(cluster.client().configMaps().inNamespace("default").watch(new Watcher<ConfigMap>() {
                    @Override
                    public void eventReceived(Action action, ConfigMap map) {
                        if (map.getMetadata().getName().startsWith("kube-")) {
                            return;
                        }
                        one.add(map.getMetadata().getName() + " with "
                                + (written.contains(map.getMetadata().getName()) ? "answer" : "request")
                                + " at "
                                + cluster.clock().instant());
                    }

                    @Override
                    public void onClose(WatcherException cause) {}
                }));
            }
            for (int i = 0; i < WRITES; i++) {
                String name = "m" + i;
                cluster.client()
                        .resource(new ConfigMapBuilder()
                                .withNewMetadata()
                                .withNamespace("default")
                                .withName(name)
                                .endMetadata()
                                .build())
                        .create();
                written.add(name);
                if (i % 3 == 0) {
                    cluster.settle();
                }
            }
            cluster.advance(SLOWEST);
            watches.forEach(Watch::close);
            return List.of(List.copyOf(seen.get(0)), List.copyOf(seen.get(1)));
        }
    }

    @Test
    void eachWatchGetsAllEventsInTheirOrderAndNoneLaterThanTheSlowest() {
        for (long seed = 1; seed <= 30; seed++) {
            for (List<String> events : deliveries(seed)) {
                assertThat(events).as("seed " + seed).hasSize(WRITES);
                for (int i = 0; i < WRITES; i++) {
                    assertThat(events.get(i)).as("seed " + seed).startsWith("m" + i + " ");
                }
            }
        }
    }

    @Test
    void eventsComeBeforeTheAnswerAfterItAndLate() {
        Set<String> kinds = new HashSet<>();
        boolean apart = false;
        for (long seed = 1; seed <= 30; seed++) {
            List<List<String>> seen = deliveries(seed);
            apart |= !seen.get(0).equals(seen.get(1));
            seen.forEach(events -> events.forEach(event ->
                    kinds.add(event.contains("request") ? "early" : event.contains(":00Z") ? "answered" : "late")));
        }
        assertThat(kinds).containsExactlyInAnyOrder("early", "answered", "late");
        assertThat(apart).as("one watch is ahead of another").isTrue();
    }

    @Test
    void equalSeedsGiveEqualDeliveries() {
        for (long seed = 1; seed <= 5; seed++) {
            assertThat(deliveries(seed)).isEqualTo(deliveries(seed));
        }
    }
}
