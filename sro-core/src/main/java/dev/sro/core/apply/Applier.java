package dev.sro.core.apply;

import dev.sro.core.plan.Dependency;
import dev.sro.core.plan.Write;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the writes of a plan, in order; what does not depend on each other at the same time, where it was given threads for it.
 * Thread-safe.
 */
public final class Applier {

    private static final Logger LOG = LoggerFactory.getLogger(Applier.class);

    private final WriteRequests requests;
    private final Observer observer;
    private final Clock clock;
    private final ConcurrentTasks threads;

    /** Writes through the writer and tells the observer: one write after the other, on the caller's thread. */
    public Applier(ClusterWriter writer, Observer observer, Clock clock) {
        this(writer, observer, clock, WriteThreads.NONE);
    }

    /** Makes writes that do not depend on each other (to nodes, to pods, to objects of different pools) side by side. */
    public Applier(ClusterWriter writer, Observer observer, Clock clock, WriteThreads threads) {
        this.requests = new WriteRequests(writer);
        this.observer = observer;
        this.clock = clock;
        this.threads = new ConcurrentTasks(threads);
    }

    /**
     * What became of the writes.
     *
     * @param made how many succeeded
     * @param failed how many were refused
     * @param stopped true if the rest was not tried: the API server is away, or what must come first failed
     */
    public record Result(int made, int failed, boolean stopped) {}

    /**
     * Makes the writes. A refused one is remembered and holds up the others only if they build on it. After one that says that the
     * API server is away, no further one is begun.
     */
    public Result apply(List<Write> writes, Failures failures) {
        Tally tally = new Tally(failures);
        for (List<List<Write>> run : WriteRuns.divide(writes)) {
            if (run.size() == 1) {
                tally.make(run.get(0));
            } else {
                threads.run(run.stream()
                        .map(lane -> (Runnable) () -> tally.make(lane))
                        .toList());
            }
        }
        return tally.result();
    }

    /** What became of the writes so far. Thread-safe. */
    private final class Tally {
        private final Failures failures;
        private final AtomicInteger made = new AtomicInteger();
        private final AtomicInteger failed = new AtomicInteger();
        private volatile boolean stopped;

        Tally(Failures failures) {
            this.failures = failures;
        }

        /** In their order, and as long as nothing stops all of them. */
        void make(List<Write> writes) {
            for (Write write : writes) {
                if (stopped) {
                    return;
                }
                try {
                    write.on(requests).accept(observer);
                    failures.succeeded(write.ref());
                    made.incrementAndGet();
                } catch (WriteException e) {
                    refused(write, e);
                } catch (RuntimeException | Error e) {
                    failed(write, e);
                }
            }
        }

        private void refused(Write write, WriteException e) {
            LOG.atDebug().addKeyValue("object", write.ref()).log("write refused: {}", e.getMessage());
            failures.failed(write.ref(), e, clock.instant());
            if (e.kind() != WriteException.Kind.BLOCKED) {
                failed.incrementAndGet();
            }
            if (isAway(e) || comesFirst(write)) {
                stopped = true;
            }
        }

        /** A failure that nobody thought of is one of this write: others are made, and the status says it. */
        private void failed(Write write, Throwable thrown) {
            LOG.atError().addKeyValue("object", write.ref()).setCause(thrown).log("write failed");
            failures.unexpected(write.ref(), thrown, clock.instant());
            failed.incrementAndGet();
            if (comesFirst(write)) {
                stopped = true;
            }
        }

        Result result() {
            return new Result(made.get(), failed.get(), stopped);
        }
    }

    private static boolean isAway(WriteException e) {
        return e.kind() == WriteException.Kind.UNAVAILABLE || e.kind() == WriteException.Kind.THROTTLED;
    }

    /** Nothing is created without the finalizer or before its kind is on record. */
    private static boolean comesFirst(Write write) {
        return write.ref().kind().equals("Namespace") || write.on(FIRST);
    }

    /** Of which kinds of writes a refusal stops the rest. */
    private static final Write.Cases<Boolean, RuntimeException> FIRST = new Write.Cases<>() {
        @Override
        public Boolean apply(Write.Apply it) {
            return false;
        }

        /** Without the finalizer nobody would know any more that a dependency was to go as well. */
        @Override
        public Boolean delete(Write.Delete it) {
            return it.state().equals(Dependency.STATE);
        }

        @Override
        public Boolean labelNode(Write.LabelNode it) {
            return false;
        }

        @Override
        public Boolean clearNode(Write.ClearNode it) {
            return false;
        }

        @Override
        public Boolean evict(Write.Evict it) {
            return false;
        }

        @Override
        public Boolean taintNode(Write.TaintNode it) {
            return false;
        }

        @Override
        public Boolean judgeNode(Write.JudgeNode it) {
            return false;
        }

        @Override
        public Boolean updateStatus(Write.UpdateStatus it) {
            return true;
        }

        @Override
        public Boolean setFinalizer(Write.SetFinalizer it) {
            return true;
        }
    };
}
