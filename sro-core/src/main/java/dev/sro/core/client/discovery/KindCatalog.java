package dev.sro.core.client.discovery;

import dev.sro.core.engine.port.Timers;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the API server serves, asked for in the background: in go doubts about it, out comes another answer, of which is told. Never
 * two requests at once, and never none that is owed: a doubt while it is being asked means once more, whatever is thrown means again
 * after a while, and a group that did not answer is asked for by itself until it does. Thread-safe.
 */
public final class KindCatalog implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(KindCatalog.class);

    private static final Duration FIRST_RETRY = Duration.ofSeconds(1);
    private static final Duration LAST_RETRY = Duration.ofMinutes(5);

    /** Doublings after which {@link #LAST_RETRY} is exceeded. */
    private static final int MAX_DOUBLINGS = 9;

    /** How long an answer is good enough for mere suspicions, as a recipe may name what is served nowhere. */
    private static final Duration FRESH = Duration.ofSeconds(30);

    /** The same of one that was the same so often that another is not to be expected soon. */
    private static final Duration STABLE = Duration.ofMinutes(5);

    private final KubernetesClient client;
    private final Executor executor;
    private final Timers timers;
    private final Clock clock;
    private final Runnable changed;
    private volatile Kinds current;
    private volatile Instant answered;
    private volatile Duration good = FRESH;
    /** Kinds that were missing, each with the number of the request whose answer counts. */
    private final Map<String, Long> doubts = new ConcurrentHashMap<>();

    private long begun;
    private volatile long completed;
    private boolean asking;
    private boolean again;
    private boolean closed;
    private int failures;
    private Runnable cancel = () -> {};

    /**
     * Asks once, and waits for the answer.
     *
     * @param executor runs later requests, which block
     * @param changed told after each answer that differs from the one before; must not block
     * @throws io.fabric8.kubernetes.client.KubernetesClientException if the API server cannot be reached
     */
    public KindCatalog(KubernetesClient client, Executor executor, Timers timers, Clock clock, Runnable changed) {
        this.client = client;
        this.executor = executor;
        this.timers = timers;
        this.clock = clock;
        this.changed = changed;
        this.current = Kinds.discover(client);
        this.answered = clock.instant();
    }

    /** The latest answer. */
    public Kinds kinds() {
        return current;
    }

    /** Sees to it that what did not answer at the start is asked for: for after the rest has started. */
    public void start() {
        synchronized (this) {
            if (current.unanswered().isEmpty() || asking || closed) {
                return;
            }
        }
        retryLater();
    }

    /** Something was served that is not, or the other way round; asks if the latest answer is not of a moment ago. */
    public void suspect() {
        if (!clock.instant().isBefore(answered.plus(good))) {
            refresh();
        }
    }

    /**
     * Whether it has still to be found out that this kind is not served, and sees to it that it is. One that is missing is asked for
     * now and then, as it may be installed.
     */
    public boolean isInDoubt(String kind) {
        Long settles;
        synchronized (this) {
            long next = begun + 1;
            settles = doubts.putIfAbsent(kind, next);
        }
        if (settles == null) {
            refresh();
            return true;
        }
        if (completed < settles) {
            return true;
        }
        suspect();
        return false;
    }

    /** What is served has changed, or may have: asks anew, in the background. */
    public void refresh() {
        synchronized (this) {
            if (closed) {
                return;
            }
            if (asking) {
                again = true;
                return;
            }
            asking = true;
        }
        cancelRetry();
        execute();
    }

    /** Asks now, on the caller's thread, which is about to write and may block; the latest answer where there is none now. */
    public Kinds now() {
        try {
            accept(Kinds.discover(client).orAsBefore(current));
        } catch (KubernetesClientException e) {
            LOG.atWarn().log("cannot ask what the cluster serves: {}", String.valueOf(e.getMessage()));
        }
        return current;
    }

    private void execute() {
        try {
            executor.execute(this::ask);
        } catch (RejectedExecutionException e) {
            ended(false);
        }
    }

    private void ask() {
        boolean succeeded = false;
        try {
            long number;
            synchronized (this) {
                number = ++begun;
            }
            Kinds answer = Kinds.discover(client).orAsBefore(current);
            completed = number;
            accept(answer);
            succeeded = true;
        } catch (RuntimeException | Error e) {
            LOG.atWarn().log("cannot ask what the cluster serves: {}", String.valueOf(e.getMessage()));
        } finally {
            ended(succeeded);
        }
    }

    private void accept(Kinds answer) {
        Kinds before = current;
        current = answer;
        answered = clock.instant();
        Duration twice = good.multipliedBy(2);
        good = !answer.equals(before) ? FRESH : twice.compareTo(STABLE) > 0 ? STABLE : twice;
        boolean awaited = !doubts.isEmpty();
        doubts.keySet().removeIf(kind -> answer.find(kind).isPresent());
        if (awaited || !answer.equals(before)) {
            changed.run();
        }
    }

    private void ended(boolean succeeded) {
        boolean more;
        boolean owed;
        synchronized (this) {
            failures = succeeded && current.unanswered().isEmpty() ? 0 : failures + 1;
            owed = !succeeded || !current.unanswered().isEmpty();
            more = again && succeeded && !closed;
            again = false;
            asking = more;
        }
        if (more) {
            execute();
        } else if (owed) {
            retryLater();
        }
    }

    private void retryLater() {
        synchronized (this) {
            if (closed) {
                return;
            }
            cancel.run();
            Duration doubled = FIRST_RETRY.multipliedBy(1L << Math.min(failures, MAX_DOUBLINGS));
            cancel = timers.schedule(doubled.compareTo(LAST_RETRY) > 0 ? LAST_RETRY : doubled, this::refresh);
        }
    }

    private synchronized void cancelRetry() {
        cancel.run();
        cancel = () -> {};
    }

    @Override
    public synchronized void close() {
        closed = true;
        cancel.run();
    }
}
