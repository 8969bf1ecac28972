package dev.sro.core.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.core.fixture.FakeCluster;
import dev.sro.core.fixture.Nodes;
import dev.sro.core.fixture.TestClock;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.plan.Write;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ParallelWritesTest {

    private static final int AT_ONCE = 4;
    private static final int NODES = 12;

    private final ExecutorService executor = Executors.newFixedThreadPool(2 * AT_ONCE);
    private final TestClock clock = new TestClock();
    private final Failures failures = new Failures();
    private final FakeCluster cluster = cluster(NODES);

    @AfterEach
    void close() {
        executor.shutdownNow();
    }

    private static FakeCluster cluster(int nodes) {
        FakeCluster cluster = new FakeCluster();
        for (int i = 0; i < nodes; i++) {
            cluster.with(Nodes.node("n" + i, Nodes.K1));
        }
        return cluster;
    }

    private static List<Write> labels(int nodes) {
        List<Write> writes = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            writes.add(new Write.LabelNode("n" + i, "uid-n" + i, "sro.x", new TreeMap<>(Map.of("a", "b"))));
        }
        return writes;
    }

    private Applier applier(FakeCluster on, WriteThreads threads) {
        return new Applier(on, on, clock, threads);
    }

    @Test
    void asManyWritesAsAreAllowedAreUnderWayAndNeverMore() {
        CyclicBarrier together = new CyclicBarrier(AT_ONCE);
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        cluster.fault = (verb, ref) -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            try {
                // Passes only if the others come while this one is under way.
                together.await(30, TimeUnit.SECONDS);
            } catch (Exception e) {
                throw new IllegalStateException("the others did not come", e);
            } finally {
                running.decrementAndGet();
            }
        };
        Applier.Result result =
                applier(cluster, new WriteThreads(executor, AT_ONCE)).apply(labels(NODES), failures);
        assertThat(result).isEqualTo(new Applier.Result(NODES, 0, false));
        assertThat(most).hasValue(AT_ONCE);
        assertThat(cluster.writes).hasSize(NODES);
    }

    @Test
    void whatBecomesOfEachWriteDoesNotDependOnTheThreads() {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            List<String> refused = new ArrayList<>();
            for (int i = 0; i < NODES; i++) {
                if (random.nextInt(3) == 0) {
                    refused.add("n" + i);
                }
            }
            FakeCluster.Fault fault = (verb, ref) -> {
                if (refused.contains(ref.name())) {
                    throw new WriteException(WriteException.Kind.CONFLICT, "refused");
                }
            };
            FakeCluster one = cluster(NODES);
            FakeCluster other = cluster(NODES);
            one.fault = fault;
            other.fault = fault;
            Failures alone = new Failures();
            Failures together = new Failures();
            Applier.Result sequential = applier(one, WriteThreads.NONE).apply(labels(NODES), alone);
            Applier.Result parallel =
                    applier(other, new WriteThreads(executor, AT_ONCE)).apply(labels(NODES), together);
            assertThat(parallel).isEqualTo(sequential);
            assertThat(parallel.failed()).isEqualTo(refused.size());
            assertThat(together.current()).isEqualTo(alone.current());
            assertThat(other.nodes).isEqualTo(one.nodes);
        }
    }

    @Test
    void noWriteIsBegunOnceTheServerAsksToStayAway() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(AT_ONCE);
        cluster.fault = (verb, ref) -> {
            begun.countDown();
            try {
                begun.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            throw new WriteException(WriteException.Kind.THROTTLED, "too many requests");
        };
        Applier.Result result =
                applier(cluster, new WriteThreads(executor, AT_ONCE)).apply(labels(NODES), failures);
        assertThat(result).isEqualTo(new Applier.Result(0, AT_ONCE, true));
        assertThat(failures.current()).hasSize(AT_ONCE);
    }

    @Test
    void aPodIsDeletedWhenEveryNodeIsMarked() {
        List<Write> writes = new ArrayList<>(labels(NODES));
        writes.add(new Write.Delete(new ObjectRef("v1", "Pod", "ns", "driver"), "u", false, "s", "p", "why"));
        applier(cluster, new WriteThreads(executor, AT_ONCE)).apply(writes, failures);
        assertThat(cluster.writes).hasSize(NODES + 1).last().isEqualTo("delete Pod driver");
    }

    @Test
    void anExecutorThatRefusesOrNeverRunsCostsNothingButTime() {
        Queue<Runnable> never = new ArrayDeque<>();
        assertThat(applier(cluster, new WriteThreads(never::add, AT_ONCE)).apply(labels(NODES), failures))
                .isEqualTo(new Applier.Result(NODES, 0, false));
        assertThat(never).hasSize(AT_ONCE - 1);
        never.forEach(Runnable::run);
        assertThat(cluster.writes).as("whoever comes late finds nothing to do").hasSize(NODES);

        WriteThreads full = new WriteThreads(
                task -> {
                    throw new RejectedExecutionException("full");
                },
                AT_ONCE);
        assertThat(applier(cluster, full).apply(labels(NODES), failures))
                .isEqualTo(new Applier.Result(NODES, 0, false));
    }

    @Test
    void aProgrammingErrorInOneWriteIsThatOfNoOther() {
        cluster.fault = (verb, ref) -> {
            if (ref.name().equals("n3")) {
                throw new IllegalStateException("a bug");
            }
        };
        Applier applier = applier(cluster, new WriteThreads(executor, AT_ONCE));
        assertThat(applier.apply(labels(NODES), failures)).isEqualTo(new Applier.Result(NODES - 1, 1, false));
        assertThat(failures.current().values())
                .singleElement()
                .satisfies(failure -> assertThat(failure.problem().message()).contains("n3", "a bug"));
    }

    @Test
    void atLeastOneWriteHasToBeAllowed() {
        assertThatThrownBy(() -> new WriteThreads(executor, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("atOnce 0");
    }
}
