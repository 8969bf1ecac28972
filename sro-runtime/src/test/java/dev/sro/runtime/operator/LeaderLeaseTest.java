package dev.sro.runtime.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.lease.LeaderLease;
import dev.sro.testkit.EmbeddedCluster;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LeaderLeaseTest {
    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final ZonedDateTime LATE = ZonedDateTime.of(2020, 1, 1, 0, 0, 0, 0, ZoneOffset.UTC);

    private final EmbeddedCluster cluster = EmbeddedCluster.builder().realTime().build();
    private final ExecutorService executor = Executors.newCachedThreadPool();
    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger led = new AtomicInteger();
    private final LeaderLease lease = new LeaderLease(
            cluster.client(),
            executor,
            "default",
            "sro",
            "me",
            new LeaderLease.Times(LEASE, Duration.ofMillis(1_500), Duration.ofMillis(100)),
            led::incrementAndGet,
            () -> {},
            nanos::get);

    @AfterEach
    void close() {
        lease.close();
        executor.shutdownNow();
        cluster.close();
    }

    private Lease stored() {
        return Objects.requireNonNull(
                cluster.client().leases().inNamespace("default").withName("sro").get());
    }

    @Test
    void isNotHeldFromTheMomentThatAnotherCouldHaveIt() throws Exception {
        lease.start();
        HttpCluster.await("the lease", lease::isHeld);
        cluster.faults().rule().resources("leases").unavailable();
        // A renewal may be under way.
        Thread.sleep(300);

        nanos.addAndGet(LEASE.toNanos() - 1);
        assertThat(lease.isHeld()).isTrue();
        nanos.incrementAndGet();
        assertThat(lease.isHeld()).as("before its elector has noticed anything").isFalse();
    }

    @Test
    void aHolderWhoseClockIsLateKeepsTheLeaseAsLongAsItRenewsIt() throws Exception {
        heldByAnother();
        lease.start();
        for (int i = 1; i <= 10; i++) {
            Thread.sleep(300);
            nanos.addAndGet(Duration.ofMillis(300).toNanos());
            Lease renewed = stored();
            renewed.getSpec().setRenewTime(LATE.plusSeconds(i));
            cluster.client().resource(renewed).update();
            assertThat(led).hasValue(0);
        }
        assertThat(lease.leader()).contains("other");
    }

    @Test
    void aLeaseRunsOutByTheClockThatOnlyGoesForwardWhateverTheWallClockSays() throws Exception {
        heldByAnother();
        lease.start();
        HttpCluster.await("the holder", () -> lease.leader().isPresent());

        // For the clock that only goes forward no time passes: the other one might as well have been set forward.
        Thread.sleep(LEASE.plusMillis(700).toMillis());
        assertThat(led).hasValue(0);
        assertThat(stored().getSpec().getHolderIdentity()).isEqualTo("other");

        nanos.addAndGet(LEASE.toNanos() + 1);
        HttpCluster.await("its turn", lease::isHeld);
        assertThat(stored().getSpec().getHolderIdentity()).isEqualTo("me");
    }

    private void heldByAnother() {
        cluster.client()
                .resource(new LeaseBuilder()
                        .withNewMetadata()
                        .withName("sro")
                        .withNamespace("default")
                        .endMetadata()
                        .withNewSpec()
                        .withHolderIdentity("other")
                        .withLeaseDurationSeconds((int) LEASE.toSeconds())
                        .withAcquireTime(LATE)
                        .withRenewTime(LATE)
                        .withLeaseTransitions(0)
                        .endSpec()
                        .build())
                .create();
    }

    @Test
    void whoeverComesNextNeedNotWaitForALeaseThatWasGivenBack() throws Exception {
        lease.start();
        HttpCluster.await("the lease", lease::isHeld);

        lease.close();

        assertThat(stored().getSpec().getHolderIdentity()).isNullOrEmpty();
    }

    @Test
    void givesBackNothingThatIsNotItsOwn() throws Exception {
        lease.start();
        HttpCluster.await("the lease", lease::isHeld);
        // Not an update, which a renewal that is under way makes stale.
        cluster.client()
                .leases()
                .inNamespace("default")
                .withName("sro")
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\": {\"holderIdentity\": \"other\"}}");

        lease.close();

        assertThat(stored().getSpec().getHolderIdentity()).isEqualTo("other");
    }
}
