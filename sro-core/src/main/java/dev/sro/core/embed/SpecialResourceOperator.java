package dev.sro.core.embed;

import dev.sro.api.Outcome;
import dev.sro.core.client.ClientOperator;
import dev.sro.core.engine.Reconciliation;
import dev.sro.core.lease.LeaderLease;
import dev.sro.core.plugin.PluginHost;
import dev.sro.core.plugin.Plugins;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs special resources: with drivers, builds, charts, preflights, modules, partitioning and upgrades. The one thing that an application
 * needs to be an operator of SRO, and what {@code sro operator} is itself.
 *
 * <pre>{@code
 * try (SpecialResourceOperator operator = SpecialResourceOperator.builder()
 *         .client(client)
 *         .plugins(new MyPlugin())
 *         .start()) {
 *     operator.await();
 * }
 * }</pre>
 *
 * <p>Several may run on one cluster, each with special resources, a field manager and a lease of its own. What the API server refuses is
 * in the status of the special resource, and is never thrown. Thread-safe.
 */
public final class SpecialResourceOperator implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SpecialResourceOperator.class);

    /** After a failure to reach the API server. */
    private static final Duration AGAIN = Duration.ofSeconds(2);

    /** So often a start may fail for another reason than an API server that does not answer. */
    private static final int MAX_STARTS = 5;

    private final SpecialResourceOperatorBuilder options;
    private final Plugins plugins;
    private final OperatorThreads threads;
    private final OperatorAssembly assembly;
    private final Optional<LeaderLease> lease;
    private final CompletableFuture<OperatorEnd> end = new CompletableFuture<>();
    private volatile boolean draining;
    private volatile boolean stopping;
    private volatile @Nullable ClientOperator running;
    private volatile String notStarted = "does not lead yet";
    private int failedStarts;

    SpecialResourceOperator(
            SpecialResourceOperatorBuilder options, KubernetesClient client, Plugins plugins, OperatorThreads threads) {
        this.options = options;
        this.plugins = plugins;
        this.threads = threads;
        this.assembly = new OperatorAssembly(options, client, plugins, threads);
        this.lease = options.lease.map(elected -> new LeaderLease(
                options.clientOfLease(client),
                threads.election(),
                options.namespace(client),
                elected.name(),
                elected.identity(),
                elected.times(),
                () -> threads.starter().execute(this::lead),
                this::lost,
                System::nanoTime));
    }

    /** A new builder. */
    public static SpecialResourceOperatorBuilder builder() {
        return new SpecialResourceOperatorBuilder();
    }

    void begin(boolean inBackground) {
        plugins.rejections()
                .forEach(rejection -> LOG.atWarn().log("no plugin: {}: {}", rejection.code(), rejection.message()));
        if (options.accounts.standard().isEmpty()) {
            LOG.atInfo().log(
                    "without an account for recipes: whoever may write one acts with the rights of this operator");
        }
        switchedOff().forEach(part -> LOG.atInfo().log("without {}: {}", part, part.consequence()));
        if (lease.isPresent()) {
            lease.get().start();
        } else if (inBackground) {
            threads.starter().execute(this::lead);
        } else {
            running = assembly.start(this::mayWrite);
        }
    }

    /** On the starter's thread: whatever is thrown, it is tried again or this operator ends, and never leads without working. */
    private synchronized void lead() {
        if (draining || running != null || !mayWrite()) {
            return;
        }
        try {
            ClientOperator started = assembly.start(this::mayWrite);
            running = started;
            if (draining) {
                started.close();
                return;
            }
            LOG.atInfo().log("leads");
        } catch (KubernetesClientException e) {
            notStarted = "the API server does not answer: " + e.getMessage();
            LOG.atWarn().log("{}; trying again in {} s", notStarted, AGAIN.toSeconds());
            leadLater();
        } catch (RuntimeException | Error e) {
            notStarted = "cannot start: " + e;
            LOG.atError().setCause(e).log("{}", notStarted);
            if (++failedStarts < MAX_STARTS) {
                leadLater();
            } else {
                end.complete(OperatorEnd.NOT_STARTED);
            }
        }
    }

    private void leadLater() {
        if (!draining) {
            threads.executors().timers().schedule(AGAIN, () -> threads.starter().execute(this::lead));
        }
    }

    private void lost() {
        if (!draining) {
            LOG.atError().log("has lost the lease; stops");
            ClientOperator operator = running;
            if (operator != null) {
                threads.starter().execute(operator::close);
            }
            end.complete(OperatorEnd.LEASE_LOST);
        }
    }

    /** Whether it may write now: it leads, or there is no election, and it is not closed. */
    public boolean mayWrite() {
        return !stopping && lease.map(LeaderLease::isHeld).orElse(true);
    }

    /** Whether it serves special resources: it leads, or there is no election, and has begun. */
    public boolean isRunning() {
        return running != null && mayWrite();
    }

    /** The leader, as far as is known; empty without an election. */
    public Optional<String> leader() {
        return lease.flatMap(LeaderLease::leader);
    }

    /**
     * Why it is not ready, for a readiness probe; empty when it is. A replica that stands by is ready: it would take over at any moment.
     */
    public String notReady() {
        if (running == null) {
            String self = options.lease.map(OperatorLease::identity).orElse("");
            return leader().filter(name -> !name.equals(self)).isPresent() ? "" : notStarted;
        }
        return unseen().entrySet().stream()
                .map(kind -> text(kind.getKey(), kind.getValue()))
                .collect(Collectors.joining("; "));
    }

    private static String text(String kind, Outcome outcome) {
        return outcome instanceof Outcome.Failed failed ? failed.problem().message() : kind + " is being listed";
    }

    /**
     * Kinds that cannot be seen now, each with the reason: Waiting while a cache fills, Failed where it may not be listed, is not served,
     * or has not been kept up for two minutes. Empty when all is well, and before it has begun.
     */
    public SortedMap<String, Outcome> unseen() {
        ClientOperator operator = running;
        return operator == null ? new TreeMap<>() : operator.unseen();
    }

    /** The parts that were left out; see {@link OperatorPart#consequence}. */
    public Set<OperatorPart> switchedOff() {
        return options.leftOut();
    }

    /** The rights that it needs at the API server, with its plugins. */
    public OperatorRights rights() {
        return options.rights(plugins);
    }

    /** Names of its plugins, sorted. */
    public List<String> plugins() {
        return plugins.names();
    }

    /** Files that are no plugins, and services that cannot be made: a line with code and message for each. */
    public List<String> rejectedPlugins() {
        return plugins.rejections().stream()
                .map(rejection -> rejection.code() + ": " + rejection.message())
                .toList();
    }

    /** Looks again at the folder of plugins, and reconciles with what is there; nothing for plugins that are from elsewhere. */
    public void rescanPlugins() {
        if (plugins instanceof PluginHost host) {
            host.rescan();
            requestAll();
        }
    }

    /** Asks for a reconcile of this special resource. */
    public void request(String specialResource) {
        ClientOperator operator = running;
        if (operator != null) {
            operator.request(specialResource);
        }
    }

    /** Asks for a reconcile of every special resource. */
    public void requestAll() {
        ClientOperator operator = running;
        if (operator != null) {
            operator.requestAll();
        }
    }

    /**
     * Reconciles a special resource, for an application that has a queue of its own ({@link SpecialResourceOperatorBuilder#driven}). Not
     * twice at the same time for the same special resource. Level-triggered: once too often costs no request. Blocks while it writes.
     *
     * @return when to do it again; after two seconds before the operator has begun
     * @throws IllegalStateException if reconciles are not the application's
     */
    public NextReconcile reconcile(String specialResource) {
        if (options.requests.isEmpty()) {
            throw new IllegalStateException("reconcile " + specialResource
                    + ": reconciles run on the operator's workers; build it with driven(...) to make them, or"
                    + " use request(...)");
        }
        ClientOperator operator = running;
        if (operator == null) {
            return new NextReconcile(Optional.of(AGAIN), 0, 0);
        }
        Reconciliation result = operator.engine().reconcile(specialResource);
        Instant now = options.clock.instant();
        return new NextReconcile(
                result.wakeUp().map(at -> at.isAfter(now) ? Duration.between(now, at) : Duration.ZERO),
                result.writes(),
                result.failures());
    }

    /** Its parts. Internal: for SRO's own commands and its test kit. Empty before it has begun. */
    public Optional<ClientOperator> internals() {
        return Optional.ofNullable(running);
    }

    /** Waits until it is closed, or has to end; the caller closes it then. */
    public OperatorEnd await() throws InterruptedException {
        try {
            return end.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Stops: no further reconcile starts, those on threads of its own end (for the time that was set), and then the lease is given back.
     * Client and executors of the application are left as they are. What special resources have made stays. Closing twice does nothing.
     */
    @Override
    public void close() {
        synchronized (end) {
            if (stopping) {
                return;
            }
            draining = true;
            ClientOperator operator = running;
            if (operator != null) {
                operator.close();
            }
            threads.drain(options.times.stopTimeout());
            stopping = true;
        }
        lease.ifPresent(LeaderLease::close);
        threads.end();
        assembly.close();
        if (plugins instanceof PluginHost host) {
            host.close();
        }
        end.complete(OperatorEnd.STOPPED);
    }
}
