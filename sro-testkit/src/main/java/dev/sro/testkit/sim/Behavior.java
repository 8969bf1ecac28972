package dev.sro.testkit.sim;

import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A rule for the behaviour of matching containers. It is made by saying what happens, then to whom, then how often:
 *
 * <pre>{@code
 * behaviors.add(Behavior.crashLoop().image("*driver*").node("worker-3"));
 * behaviors.add(Behavior.fail(1, Duration.ofSeconds(2)).workload("build-*").times(2));
 * }</pre>
 *
 * <p>A rule without a selector applies to every container. {@link #times} limits how many container runs (or image pulls) it
 * affects in all. Immutable; the count is kept by {@link Behaviors}.
 */
public final class Behavior {
    /** The deeds of a matching container. */
    enum Kind {
        /** Runs or ends as it would without a rule. */
        NORMAL,
        /** Ends after a time with an exit code. */
        EXIT,
        /** Runs until it is stopped, also where it is expected to end. */
        RUN,
        /** The image cannot be pulled. */
        PULL_ERROR
    }

    final Kind kind;
    final int exitCode;
    /** For how long it runs before it exits. */
    final Duration runFor;
    /** How much later than usual it starts. */
    final Duration startDelay;
    /** How much later than usual it gets ready; null is never. */
    final @Nullable Duration readyDelay;
    /** It ignores SIGTERM and lives until the end of its grace period. */
    final boolean stubborn;

    final String message;
    final int times;
    /** Files on the node that are there while it is ready. */
    final Set<String> leaves;
    /** Files on the node without which it does not end. */
    final Set<String> awaits;

    private final Predicate<String> image;
    private final Predicate<String> node;
    private final Predicate<String> workload;
    private final Predicate<String> container;

    private Behavior(Builder b) {
        this.kind = b.kind;
        this.exitCode = b.exitCode;
        this.runFor = b.runFor;
        this.startDelay = b.startDelay;
        this.readyDelay = b.readyDelay;
        this.stubborn = b.stubborn;
        this.message = b.message;
        this.times = b.times;
        this.leaves = b.leaves;
        this.awaits = b.awaits;
        this.image = b.image;
        this.node = b.node;
        this.workload = b.workload;
        this.container = b.container;
    }

    /** Ends with exit code 0 after this time. */
    public static Behavior succeedAfter(Duration time) {
        return fail(0, time);
    }

    /** Ends with this exit code after this time. */
    public static Behavior fail(int exitCode, Duration after) {
        Builder b = new Builder(Kind.EXIT);
        b.exitCode = exitCode;
        b.runFor = after;
        return new Behavior(b);
    }

    /** Fails with exit code 1 right after each start. */
    public static Behavior crashLoop() {
        return fail(1, Duration.ofMillis(100));
    }

    /** Runs on until it is stopped, also in a Job. */
    public static Behavior runForever() {
        return new Behavior(new Builder(Kind.RUN));
    }

    /** Starts, but never passes its readiness probe. */
    public static Behavior neverReady() {
        Builder b = new Builder(Kind.NORMAL);
        b.readyDelay = null;
        return new Behavior(b);
    }

    /** Starts, and gets ready this much later. */
    public static Behavior readyAfter(Duration delay) {
        Builder b = new Builder(Kind.NORMAL);
        b.readyDelay = delay;
        return new Behavior(b);
    }

    /** Stays in ContainerCreating for this much longer. */
    public static Behavior slowStart(Duration delay) {
        Builder b = new Builder(Kind.NORMAL);
        b.startDelay = delay;
        return new Behavior(b);
    }

    /** The image cannot be pulled, with this text in the status. */
    public static Behavior pullError(String message) {
        Builder b = new Builder(Kind.PULL_ERROR);
        b.message = Objects.requireNonNull(message, "message");
        return new Behavior(b);
    }

    /**
     * The same, writing this before it ends: the log of the container has it, and with {@code FallbackToLogsOnError} its end becomes the
     * termination message of one that fails.
     */
    public Behavior saying(String text) {
        if (kind == Kind.PULL_ERROR) {
            throw new IllegalStateException("an image that cannot be pulled says nothing; give the text to pullError");
        }
        Builder b = new Builder(this);
        b.message = Objects.requireNonNull(text, "text");
        return new Behavior(b);
    }

    /** Ignores SIGTERM: a deleted pod stays until its grace period is over. */
    public static Behavior ignoresTermination() {
        Builder b = new Builder(Kind.NORMAL);
        b.stubborn = true;
        return new Behavior(b);
    }

    /** While it is ready, this file is on its node, as barriers of drivers are: {@link Simulation#files}. */
    public static Behavior leavesFile(String path) {
        Builder b = new Builder(Kind.NORMAL);
        b.leaves = Set.of(path);
        return new Behavior(b);
    }

    /** Ends with exit code 0 once all these files are on its node, as init containers do that wait for a barrier. */
    public static Behavior waitsForFiles(String... paths) {
        Builder b = new Builder(Kind.EXIT);
        b.runFor = Duration.ofSeconds(1);
        b.awaits = Set.of(paths);
        return new Behavior(b);
    }

    /** Only containers whose image matches this glob. */
    public Behavior image(String glob) {
        Builder b = new Builder(this);
        b.image = SimRegistry.glob(glob);
        return new Behavior(b);
    }

    /** Only on nodes whose name matches this glob. */
    public Behavior node(String glob) {
        Builder b = new Builder(this);
        b.node = SimRegistry.glob(glob);
        return new Behavior(b);
    }

    /** Only in pods whose controller (DaemonSet, Job, Deployment, ...), or without one whose own name, matches this glob. */
    public Behavior workload(String glob) {
        Builder b = new Builder(this);
        b.workload = SimRegistry.glob(glob);
        return new Behavior(b);
    }

    /** Only containers with a name that matches this glob. */
    public Behavior container(String glob) {
        Builder b = new Builder(this);
        b.container = SimRegistry.glob(glob);
        return new Behavior(b);
    }

    /** Only the first {@code n} container runs (or pulls) that match. */
    public Behavior times(int n) {
        if (n < 1) {
            throw new IllegalArgumentException("times must be positive: " + n);
        }
        Builder b = new Builder(this);
        b.times = n;
        return new Behavior(b);
    }

    boolean matches(Target t) {
        return image.test(t.image())
                && node.test(t.node())
                && workload.test(t.workload())
                && container.test(t.container());
    }

    /** The container that is about to start. */
    record Target(String image, String node, String workload, String container) {}

    private static final class Builder {
        final Kind kind;
        int exitCode;
        Duration runFor = Duration.ZERO;
        Duration startDelay = Duration.ZERO;

        @Nullable Duration readyDelay = Duration.ZERO;

        boolean stubborn;
        String message = "";
        int times = Integer.MAX_VALUE;
        Set<String> leaves = Set.of();
        Set<String> awaits = Set.of();
        Predicate<String> image = s -> true;
        Predicate<String> node = s -> true;
        Predicate<String> workload = s -> true;
        Predicate<String> container = s -> true;

        Builder(Kind kind) {
            this.kind = kind;
        }

        Builder(Behavior from) {
            this.kind = from.kind;
            this.exitCode = from.exitCode;
            this.runFor = from.runFor;
            this.startDelay = from.startDelay;
            this.readyDelay = from.readyDelay;
            this.stubborn = from.stubborn;
            this.message = from.message;
            this.times = from.times;
            this.leaves = from.leaves;
            this.awaits = from.awaits;
            this.image = from.image;
            this.node = from.node;
            this.workload = from.workload;
            this.container = from.container;
        }
    }
}
