package dev.sro.testkit.sim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One container of a simulated pod: pull, start, readiness, end, restart. Holds what a container runtime knows; each call of
 * {@link #advance} does what fell due. Not thread-safe; used by its kubelet only.
 */
final class ContainerMachine {
    private enum Step {
        IDLE,
        PULL,
        PULL_FAILED,
        PULL_BACKOFF,
        START,
        RUN,
        CRASH_BACKOFF,
        DONE
    }

    private static final Duration SHOWN_AS_ERROR = Duration.ofSeconds(1);
    private static final Duration CRASHES_FORGOTTEN = Duration.ofMinutes(10);
    private static final int KILLED = 137;
    private static final Duration AWAITED_AGAIN = Duration.ofSeconds(5);

    private static final Pattern DEAF = Pattern.compile("^(?:\\S*/)?(?:sleep|tail) |\\bexec (?:sleep|tail) ");

    final String name;
    final String image;
    private final ContainerEnv env;
    private final ImagePull pull;
    private final boolean init;
    private final boolean sidecar;
    private final boolean probed;
    private final boolean deaf;
    private final boolean logged;
    private final Duration probeDelay;

    private Step step = Step.IDLE;
    private @Nullable Instant due;
    private @Nullable Instant readyAt;
    private @Nullable Behavior rule;
    private int crashes;
    private Instant startedAt = Instant.EPOCH;
    private boolean ready;
    private int restarts;
    private String waitMessage = "";
    private @Nullable ObjectNode terminated;
    private @Nullable ObjectNode last;
    private int lastExit;
    /** Whether something that the pod's status shows has changed since {@link #takeChanged}. */
    private boolean changed;

    ContainerMachine(ContainerEnv env, JsonNode spec, boolean init) {
        this.env = env;
        this.init = init;
        this.name = JsonNodes.text(spec, "name");
        this.image = JsonNodes.text(spec, "image");
        this.pull = new ImagePull(env, target());
        this.sidecar = init && JsonNodes.text(spec, "restartPolicy").equals("Always");
        this.probed = spec.has("readinessProbe");
        this.deaf = isDeaf(spec);
        this.logged = JsonNodes.text(spec, "terminationMessagePolicy").equals("FallbackToLogsOnError");
        int delay = JsonNodes.integer(spec, 0, "readinessProbe", "initialDelaySeconds")
                + JsonNodes.integer(spec, 0, "startupProbe", "initialDelaySeconds");
        this.probeDelay = Duration.ofSeconds(delay);
    }

    boolean idle() {
        return step == Step.IDLE;
    }

    boolean running() {
        return step == Step.RUN;
    }

    boolean done() {
        return step == Step.DONE;
    }

    boolean ready() {
        return ready;
    }

    boolean sidecar() {
        return sidecar;
    }

    boolean failed() {
        return done() && lastExit != 0;
    }

    /** Whether the container has run before, or runs. */
    boolean hasRun() {
        return running() || terminated != null || last != null;
    }

    boolean stubborn() {
        Behavior r = rule;
        return deaf || (r != null && r.stubborn);
    }

    /**
     * Whether the container's first process is one that does not handle SIGTERM: as process 1 of its namespace Linux then does not
     * deliver it, and the pod takes its whole grace period.
     */
    private static boolean isDeaf(JsonNode spec) {
        String command = JsonNodes.texts(spec, "command").stream().collect(Collectors.joining(" "));
        return DEAF.matcher(command).find();
    }

    /** Waits for a start that takes longer than usual. */
    boolean delayed() {
        Behavior r = rule;
        return step == Step.START && r != null && !r.startDelay.isZero();
    }

    /** The image it waits for in vain, or null. */
    @Nullable String missingImage() {
        return step == Step.PULL_FAILED || step == Step.PULL_BACKOFF ? SimRegistry.normalise(image) : null;
    }

    /** The next moment at which something happens by itself; null where nothing does. */
    @Nullable Instant nextDue() {
        Instant r = readyAt;
        if (due == null || (r != null && r.isBefore(due))) {
            return r;
        }
        return due;
    }

    boolean takeChanged() {
        boolean was = changed;
        changed = false;
        return was;
    }

    /** Lets the container begin with its pull. */
    void begin(Instant now) {
        step = Step.PULL;
        due = now;
    }

    /** Does everything that is due by now, in the order of time. */
    void advance(Instant now) {
        Instant next = nextDue();
        while (next != null && !next.isAfter(now)) {
            if (next.equals(readyAt)) {
                readyAt = null;
                become(true);
                changed = true;
            } else {
                due = null;
                fire(next);
            }
            next = nextDue();
        }
    }

    private void fire(Instant at) {
        switch (step) {
            case PULL, PULL_BACKOFF -> pull(at);
            case PULL_FAILED -> {
                step = Step.PULL_BACKOFF;
                due = pull.due();
                waitMessage = pull.backingOff();
                changed = true;
            }
            case START -> run(at);
            case CRASH_BACKOFF -> start(at);
            case RUN -> {
                if (isAwaiting()) {
                    due = at.plus(AWAITED_AGAIN);
                } else {
                    exit(at, exitCode());
                }
            }
            case IDLE, DONE -> {
                // Nothing is ever due here.
            }
        }
    }

    private boolean isAwaiting() {
        Behavior r = rule;
        return r != null && !env.files().on(env.node()).containsAll(r.awaits);
    }

    /** With readiness come and go the files that it leaves on the node. */
    private void become(boolean now) {
        Behavior r = rule;
        if (now != ready && r != null) {
            env.files().change(env.node(), r.leaves, now);
        }
        ready = now;
    }

    private void pull(Instant at) {
        if (pull.succeeds(at)) {
            start(at);
        } else if (pull.isFirst()) {
            step = Step.PULL_FAILED;
            due = at.plus(SHOWN_AS_ERROR);
            waitMessage = pull.error();
            changed = true;
        } else {
            step = Step.PULL_BACKOFF;
            due = pull.due();
        }
    }

    /** The image it waits for has come: the attempt that finds it is the next of the back-off series. */
    void imageArrived(Instant now) {
        Instant attempt = pull.arrived(now);
        if (step == Step.PULL_FAILED) {
            step = Step.PULL_BACKOFF;
            waitMessage = pull.backingOff();
            changed = true;
        }
        due = attempt;
    }

    private void start(Instant at) {
        Behavior r = env.behaviors().useForRun(target());
        rule = r;
        step = Step.START;
        due = at.plus(env.timings().podStart()).plus(r == null ? Duration.ZERO : r.startDelay);
    }

    private void run(Instant at) {
        if (terminated != null || last != null) {
            restarts++;
        }
        last = terminated == null ? last : terminated;
        terminated = null;
        step = Step.RUN;
        startedAt = at;
        changed = true;
        Behavior r = rule;
        Duration extra = r == null ? Duration.ZERO : r.readyDelay;
        if (extra != null) {
            Duration wait = probed ? probeDelay.plus(extra) : extra;
            become(wait.isZero());
            readyAt = wait.isZero() ? null : at.plus(wait);
        }
        if (r != null && r.kind == Behavior.Kind.EXIT) {
            due = at.plus(r.runFor);
        } else if (endsByItself(r)) {
            due = at.plus(env.runTime());
        }
    }

    private boolean endsByItself(@Nullable Behavior r) {
        boolean forever = r != null && r.kind == Behavior.Kind.RUN;
        return !forever && !sidecar && (init || env.ends());
    }

    private int exitCode() {
        Behavior r = rule;
        return r == null || r.kind != Behavior.Kind.EXIT ? 0 : r.exitCode;
    }

    private void exit(Instant at, int code) {
        end(at, code, code == 0 ? "Completed" : "Error");
        if (!startsAgain(code)) {
            step = Step.DONE;
            return;
        }
        crashes = Duration.between(startedAt, at).compareTo(CRASHES_FORGOTTEN) >= 0 ? 1 : crashes + 1;
        if (crashes == 1) {
            start(at);
        } else {
            Duration wait = SimTimings.backoff(
                    env.timings().crashBackoff(), env.timings().crashBackoffMax(), crashes - 1);
            last = terminated;
            terminated = null;
            step = Step.CRASH_BACKOFF;
            due = at.plus(wait);
            waitMessage =
                    "back-off " + wait.toSeconds() + "s restarting failed container=" + name + " pod=" + env.pod();
        }
    }

    private boolean startsAgain(int code) {
        if (sidecar) {
            return true;
        }
        boolean afterFailure = code != 0 && !env.restartPolicy().equals("Never");
        return afterFailure || (!init && env.restartPolicy().equals("Always"));
    }

    private void end(Instant at, int code, String reason) {
        become(false);
        readyAt = null;
        due = null;
        lastExit = code;
        changed = true;
        terminated = JsonNodes.object()
                .put("exitCode", code)
                .put("reason", reason)
                .put("startedAt", JsonNodes.time(startedAt))
                .put("finishedAt", JsonNodes.time(at));
        String message =
                code == 0 ? (init ? env.said().apply(name) : "") : logged ? TerminationMessages.of(written()) : "";
        if (!message.isEmpty()) {
            terminated.put("message", message);
        }
    }

    private String written() {
        Behavior r = rule;
        return r == null || r.message.isEmpty() ? env.log().apply(name) : r.message;
    }

    /** What the container has to say before it ends, by the rule that it follows; empty where that does not say. */
    String says() {
        Behavior r = rule;
        return r == null || r.kind == Behavior.Kind.PULL_ERROR ? "" : r.message;
    }

    /** The machine has been switched off and on: what ran has ended, and starts again if its policy says so. */
    void reboot(Instant now) {
        if (running()) {
            end(now, 255, "Unknown");
        }
        if (done() && !env.restartPolicy().equals("Always") && (lastExit != 0 || !init)) {
            return;
        }
        boolean never = env.restartPolicy().equals("Never") && terminated != null && lastExit != 0;
        step = never ? Step.DONE : Step.IDLE;
        due = null;
        changed = true;
    }

    /** Ends a running container from outside, as a failed liveness probe does; its restart policy applies. */
    void kill(Instant now) {
        if (running()) {
            exit(now, KILLED);
        }
    }

    /** Ends the container for good. */
    void stop(Instant now) {
        if (running()) {
            end(now, KILLED, "Error");
        }
        step = Step.DONE;
        due = null;
        readyAt = null;
    }

    private Behavior.Target target() {
        return new Behavior.Target(image, env.node(), env.workload(), name);
    }

    /** The entry of {@code containerStatuses}. */
    ObjectNode status(boolean initializing) {
        ObjectNode s = JsonNodes.object().put("name", name);
        ObjectNode state = s.putObject("state");
        if (running()) {
            state.putObject("running").put("startedAt", JsonNodes.time(startedAt));
        } else if (terminated != null) {
            state.set("terminated", terminated.deepCopy());
        } else {
            waiting(state.putObject("waiting"), initializing);
        }
        ObjectNode lastState = s.putObject("lastState");
        if (last != null) {
            lastState.set("terminated", last.deepCopy());
        }
        s.put("ready", (init && !sidecar) ? done() && lastExit == 0 : ready);
        s.put("restartCount", restarts).put("image", image).put("imageID", "");
        if (terminated != null) {
            s.put("started", false);
        }
        return s;
    }

    private void waiting(ObjectNode waiting, boolean initializing) {
        switch (step) {
            case PULL_FAILED -> waiting.put("reason", "ErrImagePull").put("message", waitMessage);
            case PULL_BACKOFF -> waiting.put("reason", "ImagePullBackOff").put("message", waitMessage);
            case CRASH_BACKOFF -> waiting.put("reason", "CrashLoopBackOff").put("message", waitMessage);
            default -> waiting.put("reason", initializing ? "PodInitializing" : "ContainerCreating");
        }
    }
}
