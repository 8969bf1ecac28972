package dev.sro.testkit.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.resource.SpecialResource;
import dev.sro.core.client.writer.ClientEvents;
import dev.sro.core.plan.Transition;
import dev.sro.testkit.EmbeddedCluster;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Events about special resources, on the embedded cluster. */
final class ClientEventsTest {

    private static final Transition FAILED = new Transition(true, "ImagePullFailed", "1000-driver: no such image");

    private final EmbeddedCluster cluster = EmbeddedCluster.create();
    private final ClientEvents events = new ClientEvents(cluster.client(), Runnable::run, cluster.clock());
    private final SpecialResource kmod = resource("kmod");

    @AfterEach
    void close() {
        cluster.close();
    }

    private static SpecialResource resource(String name) {
        SpecialResource resource = new SpecialResource();
        resource.setMetadata(
                new ObjectMetaBuilder().withName(name).withUid("uid-" + name).build());
        return resource;
    }

    private List<Event> written() {
        return cluster.client()
                .events()
                .v1()
                .events()
                .inNamespace("default")
                .list()
                .getItems();
    }

    @Test
    void saysWhatHappenedToWhom() {
        events.publish(kmod, FAILED);

        assertThat(written()).singleElement().satisfies(event -> {
            assertThat(event.getReason()).isEqualTo("ImagePullFailed");
            assertThat(event.getType()).isEqualTo("Warning");
            assertThat(event.getNote()).isEqualTo("1000-driver: no such image");
            assertThat(event.getRegarding().getKind()).isEqualTo("SpecialResource");
            assertThat(event.getRegarding().getName()).isEqualTo("kmod");
            assertThat(event.getRegarding().getUid()).isEqualTo("uid-kmod");
            assertThat(event.getReportingController()).isEqualTo("sro.dev/sro");
            assertThat(event.getSeries()).isNull();
        });
    }

    @Test
    void countsRepetitionsInOneEvent() {
        events.publish(kmod, FAILED);
        cluster.advance(Duration.ofMinutes(5));
        events.publish(kmod, FAILED);
        cluster.advance(Duration.ofMinutes(5));
        events.publish(kmod, FAILED);

        assertThat(written()).singleElement().satisfies(event -> {
            assertThat(event.getSeries().getCount()).isEqualTo(3);
            assertThat(event.getEventTime().getTime())
                    .isLessThan(event.getSeries().getLastObservedTime().getTime());
        });
    }

    @Test
    void beginsAnewAfterAWhileAndForAnotherReason() {
        events.publish(kmod, FAILED);
        cluster.advance(Duration.ofMinutes(6));
        events.publish(kmod, FAILED);
        events.publish(kmod, new Transition(false, "StateReady", "state 1000-driver is ready"));
        events.publish(resource("other"), FAILED);

        assertThat(written()).hasSize(4);
    }

    @Test
    void cutsOffWhoGoesOnAndOnAndNobodyElse() {
        cluster.recording().start();
        for (int i = 0; i < 100; i++) {
            events.publish(kmod, new Transition(true, "Flapping", "message " + i));
        }
        assertThat(written()).hasSize(25);
        events.publish(resource("other"), FAILED);
        assertThat(written()).hasSize(26);

        cluster.advance(Duration.ofMinutes(5));
        events.publish(kmod, new Transition(true, "Flapping", "later"));
        events.publish(kmod, new Transition(true, "Flapping", "later still"));
        assertThat(written()).hasSize(27);
        assertThat(cluster.recording().entries(e -> e.isWrite()))
                .as("one request each")
                .hasSize(27);
    }

    /** A driver is upgraded four times, and each time its pods come and go under other names. */
    @Test
    void whatIsNormalLeavesRoomForWarnings() {
        for (int i = 0; i < 100; i++) {
            events.publish(kmod, new Transition(false, "StateNotReady", "pod driver-" + i + " is going away"));
        }
        assertThat(written()).hasSize(15);
        events.publish(kmod, FAILED);

        assertThat(written()).extracting(Event::getReason).contains(FAILED.reason());
    }

    @Test
    void doesNotMindBeingRefused() {
        cluster.faults().rule().resources("events.events.k8s.io").forbidden();
        events.publish(kmod, FAILED);
        cluster.faults().clear();

        assertThat(written()).isEmpty();
    }

    @Test
    void anOperatorWritesThemByDefault() {
        try (SroSandbox sandbox = SroSandbox.create(new KmodPlugin())) {
            sandbox.nodes().create("n", NodeProfile.of(OsRelease.RHEL_9).withLabel("example.com/device", "true"));
            sandbox.apply(KmodPlugin.RESOURCE);
            assertThat(sandbox.runUntil(Duration.ofMinutes(10), () -> sandbox.isReady("kmod")))
                    .isTrue();
            sandbox.run(Duration.ofSeconds(5));

            assertThat(sandbox.client()
                            .events()
                            .v1()
                            .events()
                            .inNamespace("default")
                            .list()
                            .getItems())
                    .extracting(event ->
                            event.getReason() + " " + event.getRegarding().getName())
                    .contains("StateReady kmod", "AllStatesReady kmod");
        }
    }
}
