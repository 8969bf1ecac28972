package dev.sro.testkit.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.Outcome;
import dev.sro.core.client.ClientOperator;
import dev.sro.core.engine.port.Timers;
import dev.sro.core.plugin.Plugins;
import dev.sro.testkit.EmbeddedCluster;
import dev.sro.testkit.server.Faults;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What an operator says of kinds that it cannot see; in real time, as fabric8's informers try again in real time. */
final class UnseenKindsTest {

    private static final String SPECIAL_RESOURCE = "sro.openshift.io/v1beta1/SpecialResource";

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
    private final Queue<Runnable> due = new ConcurrentLinkedQueue<>();
    private final EmbeddedCluster cluster = EmbeddedCluster.builder().realTime().build();
    private final KubernetesClient client = cluster.newClient("sro");
    private final ExecutorService workers = Executors.newSingleThreadExecutor();
    private final ClientOperator operator = ClientOperator.builder()
            .client(client)
            .plugins(Plugins.of(new KmodPlugin()))
            .workers(workers)
            .timers(byHand())
            .clock(new Hand())
            .start();

    /** Moved by the tests. */
    private final class Hand extends Clock {
        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return Objects.requireNonNull(now.get(), "now");
        }
    }

    /** Runs what is due whenever a test looks. */
    private Timers byHand() {
        return (delay, task) -> {
            due.add(task);
            return () -> due.remove(task);
        };
    }

    private void minuteLater() {
        now.updateAndGet(instant -> instant.plus(Duration.ofMinutes(1)));
        List<Runnable> tasks = List.copyOf(due);
        due.removeAll(tasks);
        tasks.forEach(Runnable::run);
    }

    @AfterEach
    void close() {
        operator.close();
        workers.shutdownNow();
        cluster.close();
    }

    private static void await(String what, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as(what).isLessThan(end);
            Thread.sleep(10);
        }
    }

    private String code(String kind) {
        return operator.unseen().get(kind) instanceof Outcome.Failed failed
                ? failed.problem().code()
                : "";
    }

    @Test
    void namesTheDefinitionThatIsMissing() throws InterruptedException {
        await("the missing definition", () -> operator.unseen().size() == 1);

        await("its code", () -> code(SPECIAL_RESOURCE).equals("KindNotServed"));
    }

    @Test
    void namesARightThatWasTakenAwayOnceTheCacheIsTooOld() throws InterruptedException {
        await("all but the special resources", () -> operator.unseen().size() == 1);
        Faults.Rule forbidden = cluster.faults()
                .rule()
                .verbs("list", "watch")
                .resources("nodes")
                .forbidden();
        cluster.dropWatches(null);
        minuteLater();
        minuteLater();
        assertThat(operator.unseen()).as("an API server restarts in less").doesNotContainKey("v1/Node");

        await("a refused list", () -> {
            minuteLater();
            return operator.unseen().containsKey("v1/Node");
        });
        assertThat(code("v1/Node")).isEqualTo("Forbidden");

        forbidden.remove();

        await("the nodes again", () -> !operator.unseen().containsKey("v1/Node"));
    }
}
