package dev.sro.core.lookup;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Look-ups in the background, each asked for while a plan is made, which never waits for the answer. One that ends, however it ends,
 * has an answer and, unless it is a success that stays, a time for the next try; whoever asked is told. While a success is refreshed
 * in vain it goes on serving. What nobody asks for any more is forgotten. A question is never looked up twice at once, but for
 * one that was given up because it took too long, which is interrupted, and whose answer counts no more.
 *
 * <p>Thread-safe. No lock is held while somebody else's code runs that may block. A task may run on the thread that asks.
 */
public final class BackgroundLookups<Q, A> {

    private static final Logger LOG = LoggerFactory.getLogger(BackgroundLookups.class);

    /**
     * What is known.
     *
     * @param answer empty where nobody looked yet
     * @param since when it was asked for first
     */
    public record Known<A>(Optional<A> answer, Instant since) {}

    private final GuardedLookup<Q, A> lookup;
    private final Executor executor;
    private final LookupPace pace;
    private final Clock clock;
    private final Consumer<String> changed;
    private final Map<Q, LookupEntry<Q, A>> entries = new LinkedHashMap<>();
    private final Deque<LookupEntry<Q, A>> queue = new ArrayDeque<>();
    private final Set<LookupTask<Q, A>> runs = new LinkedHashSet<>();
    private boolean starting;

    /**
     * @param executor runs the tasks, which block; not shut down
     * @param clock a {@link MonotonicClock}, or another one that never goes back
     * @param changed told the name of each who asked for what was looked up, whatever came of it: there is an answer or a later time
     *     to ask again. Must not block
     */
    public BackgroundLookups(
            Lookup<Q, A> lookup, Executor executor, LookupPace pace, Clock clock, Consumer<String> changed) {
        this.lookup = new GuardedLookup<>(lookup);
        this.executor = executor;
        this.pace = pace;
        this.clock = clock;
        this.changed = changed;
    }

    /** What is known; asked for with {@link #start}, looks. */
    public Known<A> ask(Q query, String asker, LookupOptions terms) {
        return ask(query, asker, terms, Optional::empty);
    }

    /**
     * Asks; it is looked up by the next {@link #settle} or {@link #start}.
     *
     * @param asker who is told
     * @param terms of whoever asked last count
     * @param first what is known of a question that was not asked before
     */
    public synchronized Known<A> ask(Q query, String asker, LookupOptions terms, Supplier<Optional<A>> first) {
        Instant now = clock.instant();
        LookupEntry<Q, A> entry = entries.get(query);
        if (entry == null) {
            entry = new LookupEntry<>(query, terms, now);
            entries.put(query, entry);
            Optional<A> known = first.get();
            if (known.isPresent()) {
                entry.answer = known.get();
                entry.success = lookup.isSuccess(query, known.get());
            }
        } else if (entry.askers.isEmpty()) {
            entry.since = now;
        }
        LookupEntry.Asker who = entry.askers.computeIfAbsent(asker, unused -> new LookupEntry.Asker());
        who.last = now;
        who.missed = 0;
        if (!entry.terms.equals(terms)) {
            entry.change(terms, now);
        }
        return new Known<>(Optional.ofNullable(entry.answer), entry.since);
    }

    /** The same, and has it looked up if it is due: what is known afterwards. */
    public Known<A> start(Q query, String asker, LookupOptions terms) {
        Instant now = clock.instant();
        Set<String> told = new TreeSet<>();
        synchronized (this) {
            giveUp(now, told);
            ask(query, asker, terms);
            forget(now);
            enqueue(entry(query), now);
        }
        launch(told);
        tell(told);
        synchronized (this) {
            LookupEntry<Q, A> entry = entry(query);
            return new Known<>(Optional.ofNullable(entry.answer), entry.since);
        }
    }

    private LookupEntry<Q, A> entry(Q query) {
        return entries.getOrDefault(query, new LookupEntry<>(query, LookupOptions.ONCE, clock.instant()));
    }

    /** What is known of a question that somebody asks; asks nothing. */
    public synchronized Optional<A> peek(Q query) {
        return Optional.ofNullable(entries.get(query)).map(entry -> entry.answer);
    }

    /** What is known of all questions that are kept: empty where nobody looked yet. */
    public synchronized Map<Q, Optional<A>> known() {
        Map<Q, Optional<A>> known = new HashMap<>();
        entries.forEach((query, entry) -> known.put(query, Optional.ofNullable(entry.answer)));
        return known;
    }

    /** Whether somebody asks this. */
    public synchronized boolean contains(Q query) {
        LookupEntry<Q, A> entry = entries.get(query);
        return entry != null && !entry.askers.isEmpty();
    }

    /**
     * Has looked up what this one asked for since the last time, and is due.
     *
     * @param wanted which of it
     * @return when to ask again for what was asked for; {@link Instant#MAX} when there is no need to
     */
    public Instant settle(String asker, Predicate<Q> wanted) {
        Instant now = clock.instant();
        Set<String> told = new TreeSet<>();
        List<LookupEntry<Q, A>> asked = new ArrayList<>();
        synchronized (this) {
            giveUp(now, told);
            for (LookupEntry<Q, A> entry : entries.values()) {
                LookupEntry.Asker who = entry.askers.get(asker);
                if (who != null && who.missed++ == 0 && wanted.test(entry.query)) {
                    asked.add(entry);
                    enqueue(entry, now);
                }
            }
        }
        launch(told);
        tell(told);
        synchronized (this) {
            return asked.stream().map(this::wakeUp).min(Instant::compareTo).orElse(Instant.MAX);
        }
    }

    /** One that is being looked up is given up at some time, if nobody tells anything before. */
    private Instant wakeUp(LookupEntry<Q, A> entry) {
        if (entry.busy()) {
            Instant first =
                    runs.stream().map(run -> run.since).min(Instant::compareTo).orElse(clock.instant());
            LookupTask<Q, A> run = entry.run;
            return (run == null ? first : run.since).plus(pace.deadline());
        }
        return entry.isFinal() ? Instant.MAX : entry.due;
    }

    /**
     * Forgets questions; one that is being looked up is never told of.
     *
     * @param keep of a question, and whether it was asked since whoever asks it settled
     */
    public synchronized void retain(BiPredicate<Q, Boolean> keep) {
        Iterator<LookupEntry<Q, A>> all = entries.values().iterator();
        while (all.hasNext()) {
            LookupEntry<Q, A> entry = all.next();
            if (!keep.test(entry.query, entry.asked())) {
                entry.askers.clear();
                dropUnasked(entry, all);
            }
        }
    }

    /**
     * Forgets what this one did not ask any more.
     *
     * @param times how often it settled since it asked; nothing for all that it asked
     */
    public synchronized void leave(String asker, int times) {
        Iterator<LookupEntry<Q, A>> all = entries.values().iterator();
        while (all.hasNext()) {
            LookupEntry<Q, A> entry = all.next();
            LookupEntry.Asker who = entry.askers.get(asker);
            if (who != null && who.missed >= times) {
                entry.askers.remove(asker);
                dropUnasked(entry, all);
            }
        }
    }

    private void dropUnasked(LookupEntry<Q, A> entry, Iterator<LookupEntry<Q, A>> all) {
        if (!entry.askers.isEmpty()) {
            return;
        }
        if (entry.queued) {
            queue.remove(entry);
            entry.queued = false;
        }
        if (entry.run == null) {
            // One that runs stays until it ends: asked again meanwhile, it must not run twice.
            all.remove();
        }
    }

    /** How many questions are known. */
    public synchronized int size() {
        return entries.size();
    }

    private void forget(Instant now) {
        Instant before = now.minus(pace.idle());
        Iterator<LookupEntry<Q, A>> all = entries.values().iterator();
        while (all.hasNext()) {
            LookupEntry<Q, A> entry = all.next();
            entry.askers.values().removeIf(asker -> asker.last.isBefore(before));
            dropUnasked(entry, all);
        }
    }

    private void enqueue(LookupEntry<Q, A> entry, Instant now) {
        if (!entry.busy() && !entry.isFinal() && !entry.due.isAfter(now)) {
            entry.queued = true;
            queue.add(entry);
        }
    }

    /** Starts tasks for what is queued. Those that run on this thread come one after the other, not one within the other. */
    private void launch(Set<String> told) {
        synchronized (this) {
            if (starting) {
                return;
            }
            starting = true;
        }
        LookupTask<Q, A> run = next();
        while (run != null) {
            LookupTask<Q, A> task = run;
            try {
                executor.execute(() -> work(task));
            } catch (RuntimeException | Error e) {
                refused(task, e, told);
            }
            run = next();
        }
    }

    private synchronized @Nullable LookupTask<Q, A> next() {
        long waiting = runs.stream().filter(run -> !run.started).count();
        if (runs.size() >= pace.tasks() || waiting >= queue.size()) {
            starting = false;
            return null;
        }
        LookupTask<Q, A> run = new LookupTask<>(clock.instant());
        runs.add(run);
        return run;
    }

    /** Nobody takes it: what waits for a thread ends as it is. One that began nevertheless does no harm. */
    private synchronized void refused(LookupTask<Q, A> run, Throwable cause, Set<String> told) {
        if (!runs.remove(run)) {
            return;
        }
        run.givenUp = true;
        Throwable why = cause instanceof Error ? new RejectedExecutionException(cause) : cause;
        int count = pace.tasks() == 1 ? queue.size() : 1;
        unqueue(count, why, told);
    }

    private void unqueue(int count, Throwable why, Set<String> told) {
        for (int i = 0; i < count; i++) {
            LookupEntry<Q, A> entry = queue.poll();
            if (entry != null) {
                entry.queued = false;
                ended(entry, lookup.failed(entry.query, why), told);
            }
        }
    }

    private void work(LookupTask<Q, A> run) {
        Set<String> told = new TreeSet<>();
        synchronized (this) {
            run.started = true;
            run.thread = Thread.currentThread();
        }
        boolean mine = true;
        for (int i = 0; mine && i < pace.batch(); i++) {
            LookupEntry<Q, A> entry = begin(run);
            if (entry == null) {
                break;
            }
            mine = end(run, entry, lookup.look(entry.query), told);
        }
        synchronized (this) {
            runs.remove(run);
            run.thread = null;
        }
        launch(told);
        tell(told);
    }

    private synchronized @Nullable LookupEntry<Q, A> begin(LookupTask<Q, A> run) {
        LookupEntry<Q, A> entry = run.givenUp ? null : queue.poll();
        if (entry != null) {
            entry.queued = false;
            entry.run = run;
            entry.again = false;
            run.entry = entry;
            run.since = clock.instant();
        }
        return entry;
    }

    /** Whether the task may go on. */
    private synchronized boolean end(
            LookupTask<Q, A> run, LookupEntry<Q, A> entry, @Nullable A answer, Set<String> told) {
        if (run.givenUp) {
            // The thread goes back to whoever lent it as it came.
            boolean unused = Thread.interrupted();
            return false;
        }
        run.entry = null;
        ended(entry, answer, told);
        return true;
    }

    private void ended(LookupEntry<Q, A> entry, @Nullable A answer, Set<String> told) {
        entry.ended(answer, lookup.isSuccess(entry.query, answer), pace, clock.instant());
        if (entry.askers.isEmpty()) {
            entries.remove(entry.query);
        }
        told.addAll(entry.askers.keySet());
    }

    /** Ends what takes longer than the deadline, and what no thread began. */
    private void giveUp(Instant now, Set<String> told) {
        List<LookupTask<Q, A>> late = runs.stream()
                .filter(run -> !run.since.plus(pace.deadline()).isAfter(now))
                .toList();
        for (LookupTask<Q, A> run : late) {
            run.givenUp = true;
            runs.remove(run);
            LookupEntry<Q, A> entry = run.entry;
            Thread thread = run.thread;
            TimeoutException why =
                    new TimeoutException("no answer within " + pace.deadline().toSeconds() + " s");
            if (entry != null) {
                if (thread != null) {
                    thread.interrupt();
                }
                run.entry = null;
                ended(entry, lookup.failed(entry.query, why), told);
            } else if (!run.started) {
                unqueue(pace.batch(), why, told);
            }
        }
    }

    private void tell(Set<String> names) {
        for (String name : names) {
            try {
                changed.accept(name);
            } catch (RuntimeException | Error e) {
                LOG.atError().setCause(e).log("{} could not be told of a look-up", name);
            }
        }
    }
}
