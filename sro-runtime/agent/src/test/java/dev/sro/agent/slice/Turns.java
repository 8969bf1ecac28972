package dev.sro.agent.slice;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Threads of one process of which one at a time goes on. Each stops at every {@link #point}, and there it is drawn who goes on, so that
 * the same draws are the same run. All that the threads share is touched by whoever has the turn, and needs no other care.
 */
final class Turns {
    /** Far more than any history has; more is a circle in which nobody comes to an end. */
    private static final int MOST_POINTS = 50_000;

    /** In points of others: some calls of theirs. */
    private static final int LONGEST_STALL = 500;

    /** Real time, for a thread that comes to no point at all. */
    private static final int PATIENCE_SECONDS = 30;

    private final RandomGenerator random;
    private final Runnable between;
    private final Map<Thread, Task> current = new ConcurrentHashMap<>();
    private List<Task> tasks = List.of();
    private Semaphore over = new Semaphore(0);
    private Optional<Throwable> failure = Optional.empty();
    private boolean dead;
    private boolean watching;
    private int stays = 50;
    private long points;
    private long limit;

    /** The end of the process in a thread that did not bring it about; nothing in the agent catches it. */
    private static final class Dead extends Error {
        private static final long serialVersionUID = 1L;

        Dead() {
            super("kill -9", null, false, false);
        }
    }

    private static final class Task {
        final String name;
        final Runnable work;
        final Semaphore turn = new Semaphore(0);

        @Nullable ReentrantLock waitsFor;

        long sleepsUntil;
        int untilStall = -1;
        boolean done;
        String at = "the beginning";

        Task(String name, Runnable work) {
            this.name = name;
            this.work = work;
        }

        boolean canGoOn() {
            return !done && (waitsFor == null || !waitsFor.isLocked());
        }
    }

    /**
     * Nothing runs yet.
     *
     * @param between done at each point by the thread that came there: what the world does, and what is judged; it throws if something
     *     is wrong
     */
    Turns(RandomGenerator random, Runnable between) {
        this.random = random;
        this.between = between;
    }

    /**
     * Runs these side by side until all have ended.
     *
     * @return what ended the process before they had; empty if nothing did
     */
    Optional<Throwable> run(Map<String, Runnable> work) {
        dead = false;
        failure = Optional.empty();
        over = new Semaphore(0);
        limit = points + MOST_POINTS;
        // Short stretches find what long ones do not, and the other way round.
        stays = random.nextInt(4) == 0 ? random.nextInt(90) : 90 + random.nextInt(9);
        tasks = work.entrySet().stream()
                .map(entry -> new Task(entry.getKey(), entry.getValue()))
                .toList();
        List<Thread> threads = new ArrayList<>();
        for (Task task : tasks) {
            Thread thread = new Thread(() -> run(task), "history-" + task.name);
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
        tasks.get(random.nextInt(tasks.size())).turn.release();
        try {
            if (!over.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("a thread comes to no point:\n" + state() + stacks(threads));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        return failure;
    }

    private void run(Task task) {
        current.put(Thread.currentThread(), task);
        task.turn.acquireUninterruptibly();
        try {
            check();
            task.work.run();
        } catch (Dead e) {
            // Whoever brought it about said so.
        } catch (Throwable e) {
            end(e);
        }
        task.done = true;
        current.remove(Thread.currentThread());
        if (tasks.stream().allMatch(one -> one.done)) {
            over.release();
            return;
        }
        next().turn.release();
    }

    private void end(Throwable why) {
        if (!dead) {
            failure = Optional.of(why);
            dead = true;
        }
    }

    private void check() {
        if (dead) {
            throw new Dead();
        }
    }

    /** Looks at the process from outside: meanwhile points and locks are nothing. */
    void watch(Runnable judge) {
        watching = true;
        try {
            judge.run();
        } finally {
            watching = false;
        }
    }

    /** Whether the thread is none of those that are run here, or only looks. */
    boolean isOutside() {
        return watching || current.get(Thread.currentThread()) == null;
    }

    /** How many there were. */
    long points() {
        return points;
    }

    /** Here others may go on, and the world may change. */
    void point(String what) {
        Task me = current.get(Thread.currentThread());
        if (watching || me == null) {
            return;
        }
        me.at = what;
        check();
        points++;
        if (points > limit) {
            end(new AssertionError("nobody comes to an end:\n" + state()));
            throw new Dead();
        }
        between.run();
        if (random.nextInt(100) >= stays) {
            pass(me);
        }
    }

    /** A call begins, which may be stalled at one of its locks, at an early one rather than at a late one. */
    void begin() {
        Task me = current.get(Thread.currentThread());
        if (me != null) {
            me.untilStall = random.nextBoolean() ? random.nextInt(2 << random.nextInt(5)) : -1;
        }
    }

    /** Does nothing for a while, of at most so many points of others. */
    void rest(int most) {
        Task me = current.get(Thread.currentThread());
        if (me != null) {
            point("rest");
            me.sleepsUntil = points + random.nextInt(most);
            pass(me);
        }
    }

    /** The same before a lock is taken, where what was read before may get old: here calls are stalled. */
    void lockPoint(String what) {
        Task me = current.get(Thread.currentThread());
        if (!watching && me != null && me.untilStall-- == 0) {
            me.sleepsUntil = points + random.nextInt(LONGEST_STALL);
            pass(me);
        }
        point(what);
    }

    /** The lock that this thread wants is another's: it does not go on before it is free. */
    void block(ReentrantLock lock) {
        Task me = current.get(Thread.currentThread());
        if (me == null) {
            throw new IllegalStateException("a lock is left behind:\n" + state());
        }
        me.waitsFor = lock;
        pass(me);
        me.waitsFor = null;
    }

    private void pass(Task me) {
        Task next = next();
        if (next != me) {
            next.turn.release();
            me.turn.acquireUninterruptibly();
        }
        check();
    }

    private Task next() {
        List<Task> able = tasks.stream().filter(Task::canGoOn).toList();
        if (able.isEmpty() && !dead) {
            end(new AssertionError("deadlock:\n" + state()));
        }
        if (dead) {
            return tasks.stream().filter(one -> !one.done).findFirst().orElseThrow();
        }
        List<Task> awake =
                able.stream().filter(one -> one.sleepsUntil <= points).toList();
        List<Task> from = awake.isEmpty() ? able : awake;
        return from.get(random.nextInt(from.size()));
    }

    /** Where everybody is. */
    String state() {
        StringBuilder text = new StringBuilder();
        for (Task task : tasks) {
            text.append(task.name).append(task.done ? " has ended" : " is at " + task.at);
            text.append(task.waitsFor == null ? "" : ", waits for " + task.waitsFor)
                    .append('\n');
        }
        return text.toString();
    }

    /** The thread that has the turn. */
    String name() {
        Task me = current.get(Thread.currentThread());
        return me == null ? "" : me.name;
    }

    private static String stacks(List<Thread> threads) {
        StringBuilder text = new StringBuilder();
        for (Thread thread : threads) {
            text.append(thread.getName()).append(": ").append(thread.getState()).append('\n');
            for (StackTraceElement element : thread.getStackTrace()) {
                text.append("    ").append(element).append('\n');
            }
        }
        return text.toString();
    }
}
