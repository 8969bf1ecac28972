package dev.sro.core.lease;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfig;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElector;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaderElectionRecord;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.Lock;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes part in the election of a leader by a Lease. fabric8's elector holds the lease; what is added is a deadline of our own:
 * a replica that was stopped in its tracks, and goes on after another took over, finds {@link #isHeld} false before its elector
 * has noticed anything. Thread-safe.
 */
public final class LeaderLease implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LeaderLease.class);

    /** The times of an election; those of Kubernetes' own components unless chosen otherwise. */
    public record Times(Duration lease, Duration renewDeadline, Duration retry) {
        /** Checks the order: a lease outlives the deadline of its renewal, and that an attempt. */
        public Times {
            if (retry.isNegative()
                    || retry.isZero()
                    || renewDeadline.compareTo(retry) <= 0
                    || lease.compareTo(renewDeadline) <= 0) {
                throw new IllegalArgumentException("lease " + lease + " must be longer than the renew deadline "
                        + renewDeadline + ", and that longer than the retry period " + retry);
            }
        }
    }

    /** For the elector, which compares with the wall clock: not even one that was set wrong is beyond them. */
    private static final ZonedDateTime LONG_AGO = ZonedDateTime.of(1970, 1, 1, 0, 0, 0, 0, ZoneOffset.UTC);

    private static final ZonedDateTime LONG_HENCE = ZonedDateTime.of(9999, 1, 1, 0, 0, 0, 0, ZoneOffset.UTC);

    private final LongSupplier nanos;
    private final Times times;
    private final String identity;
    private final KubernetesClient client;
    private final String namespace;
    private final String name;
    private final LeaderElector elector;
    private final AtomicReference<String> leader = new AtomicReference<>("");
    /** Until when, by the clock that only goes forward, nobody else can have the lease. */
    private final AtomicLong heldUntil;

    private volatile boolean held;
    private @Nullable CompletableFuture<?> running;

    /**
     * @param client not limited in its rate and not fenced: the lease is to be renewed whatever else is going on
     * @param executor runs the elector; its tasks are short but for the requests that they make
     * @param namespace and
     * @param name of the Lease
     * @param identity of this replica, different from that of all others
     * @param onLeading called when this replica becomes the leader
     * @param onLost called when it is not any more
     * @param nanos a clock that only goes forward, in nanoseconds
     */
    public LeaderLease(
            KubernetesClient client,
            Executor executor,
            String namespace,
            String name,
            String identity,
            Times times,
            Runnable onLeading,
            Runnable onLost,
            LongSupplier nanos) {
        this.nanos = nanos;
        this.times = times;
        this.identity = identity;
        this.client = client;
        this.namespace = namespace;
        this.name = name;
        this.heldUntil = new AtomicLong(nanos.getAsLong());
        LeaderCallbacks callbacks = new LeaderCallbacks(
                () -> {
                    held = true;
                    onLeading.run();
                },
                () -> {
                    held = false;
                    onLost.run();
                },
                now -> leader.set(now == null ? "" : now));
        this.elector = new LeaderElector(
                client,
                new LeaderElectionConfig(
                        new Noting(new LeaseLock(namespace, name, identity)),
                        times.lease,
                        times.renewDeadline,
                        times.retry,
                        callbacks,
                        true,
                        name),
                executor);
    }

    /** Notes until when each renewal holds: counted from before the request, as the server may have acted at any time since. */
    private final class Noting implements Lock {
        private final Lock lock;
        private String failure = "";
        private @Nullable LeaderElectionRecord seen;
        private long seenAt = nanos.getAsLong();

        Noting(Lock lock) {
            this.lock = lock;
        }

        /**
         * The lease of another holder runs from when this replica saw it renewed, by the clock that only goes forward: neither do the
         * clocks of two nodes agree, nor does one that somebody sets. The elector compares a time with the wall clock, so it is told
         * one that is far from it on either side.
         */
        @Override
        public @Nullable LeaderElectionRecord get(KubernetesClient with) {
            LeaderElectionRecord record = said(() -> lock.get(with));
            if (record == null || identity.equals(record.getHolderIdentity())) {
                return record;
            }
            if (!record.equals(seen)) {
                seen = record;
                seenAt = nanos.getAsLong();
            }
            boolean over =
                    nanos.getAsLong() - seenAt > record.getLeaseDuration().toNanos();
            return new LeaderElectionRecord(
                    record.getHolderIdentity(),
                    record.getLeaseDuration(),
                    record.getAcquireTime(),
                    over ? LONG_AGO : LONG_HENCE,
                    record.getLeaderTransitions());
        }

        @Override
        public void create(KubernetesClient with, LeaderElectionRecord record) {
            long before = nanos.getAsLong();
            said(() -> {
                lock.create(with, record);
                return record;
            });
            note(record, before);
        }

        @Override
        public void update(KubernetesClient with, LeaderElectionRecord record) {
            long before = nanos.getAsLong();
            said(() -> {
                lock.update(with, record);
                return record;
            });
            note(record, before);
        }

        /** Logs why a request failed, once as long as it is the same; the elector would print a stack each time. */
        private @Nullable LeaderElectionRecord said(Supplier<@Nullable LeaderElectionRecord> request) {
            try {
                LeaderElectionRecord record = request.get();
                failure = "";
                return record;
            } catch (KubernetesClientException e) {
                String why = String.valueOf(e.getMessage());
                if (!why.equals(failure) && e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                    LOG.atWarn().log("{}: {}", lock.describe(), why);
                }
                failure = why;
                throw e;
            }
        }

        private void note(LeaderElectionRecord record, long before) {
            boolean ours = identity.equals(record.getHolderIdentity());
            heldUntil.set(ours ? before + times.lease.toNanos() : nanos.getAsLong());
        }

        @Override
        public String identity() {
            return lock.identity();
        }

        @Override
        public String describe() {
            return lock.describe();
        }
    }

    /** Takes part from now on. */
    public synchronized void start() {
        running = elector.start();
    }

    /** Whether this replica is the leader and nobody else can be. */
    public boolean isHeld() {
        return held && heldUntil.get() - nanos.getAsLong() > 0;
    }

    /** Who leads, as far as is known. */
    public Optional<String> leader() {
        return Optional.of(String.valueOf(leader.get())).filter(name -> !name.isEmpty());
    }

    /** Gives the lease back, so that another replica need not wait for its end. */
    @Override
    public synchronized void close() {
        boolean ours = isHeld();
        CompletableFuture<?> future = running;
        if (future != null) {
            future.cancel(true);
        }
        held = false;
        if (ours) {
            giveBack();
        }
    }

    /** fabric8's elector leaves its name on the lease, and so the next replica watches it run out before it takes over. */
    private void giveBack() {
        String patch = """
                [{"op": "test", "path": "/spec/holderIdentity", "value": "%1$s"},
                 {"op": "replace", "path": "/spec/holderIdentity", "value": ""}]
                """.formatted(identity);
        try {
            client.leases().inNamespace(namespace).withName(name).patch(PatchContext.of(PatchType.JSON), patch);
        } catch (KubernetesClientException e) {
            // Somebody else has it already, or nobody answers: then it runs out.
            LOG.atDebug().log("the lease was not given back: {}", e.getMessage());
        }
    }
}
