package dev.sro.testkit.operator;

import dev.sro.core.client.ClientOperator;
import dev.sro.core.client.OperatorAdjustment;
import dev.sro.core.embed.OperatorExecutors;
import dev.sro.core.embed.OperatorPart;
import dev.sro.core.embed.SpecialResourceOperator;
import dev.sro.core.embed.SpecialResourceOperatorBuilder;
import dev.sro.core.plugin.Plugins;
import dev.sro.testkit.EmbeddedCluster;
import dev.sro.testkit.VirtualClock;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** An operator process: what dies with it. Confined to one thread. */
final class OperatorProcess implements AutoCloseable {

    /** They would reach for registries and web servers, which no test does unasked. */
    private static final OperatorPart[] ONLY_WHERE_A_TEST_SAYS_SO = {
        OperatorPart.CHARTS, OperatorPart.DRIVER_IMAGES, OperatorPart.PREFLIGHTS, OperatorPart.MODULES
    };

    private final ArrayDeque<Runnable> work = new ArrayDeque<>();
    private final KubernetesClient client;
    private final SpecialResourceOperator operator;
    private final Map<Object, Instant> pending = new ConcurrentHashMap<>();
    private boolean dead;
    private long workDone;

    /**
     * Starts it.
     *
     * @param token of the account whose rights it has; those of the administrator where there is none
     * @throws io.fabric8.kubernetes.client.KubernetesClientException if the API server does not answer
     */
    OperatorProcess(
            EmbeddedCluster cluster, Plugins plugins, Optional<String> token, Collection<OperatorAdjustment> settings) {
        this.client = token.map(known -> cluster.newClient("sro", known)).orElseGet(() -> cluster.newClient("sro"));
        VirtualClock clock = cluster.clock();
        SpecialResourceOperatorBuilder builder = SpecialResourceOperator.builder()
                .client(client)
                .loaded(plugins)
                .clock(clock)
                .executors(new OperatorExecutors(
                        work::add, work::add, Optional.empty(), (delay, task) -> schedule(clock, delay, task)))
                .writesAtOnce(1)
                // The roles that a real cluster has are not there; a test of them says so.
                .recipeAccount("")
                .without(ONLY_WHERE_A_TEST_SAYS_SO);
        settings.forEach(builder::adjust);
        this.operator = builder.start();
    }

    private Runnable schedule(VirtualClock clock, Duration delay, Runnable task) {
        Object timer = new Object();
        pending.put(timer, clock.instant().plus(delay));
        VirtualClock.Timer scheduled = clock.after(delay, () -> {
            if (pending.remove(timer) != null && !dead) {
                task.run();
            }
        });
        return () -> {
            pending.remove(timer);
            scheduled.cancel();
        };
    }

    /** The times that timers wait for, in order. */
    List<Instant> pendingTimers() {
        return pending.values().stream().sorted().toList();
    }

    /** Does what there is to do; false if there was nothing. */
    boolean work() {
        boolean any = false;
        for (Runnable next = work.poll(); next != null; next = work.poll()) {
            next.run();
            workDone++;
            any = true;
        }
        return any;
    }

    /** How much of it was done so far. */
    long workDone() {
        return workDone;
    }

    /** The operator itself. */
    ClientOperator operator() {
        return operator.internals().orElseThrow();
    }

    @Override
    public void close() {
        dead = true;
        work.clear();
        operator.close();
        client.close();
    }
}
