package dev.sro.core.apply;

import dev.sro.api.Problem;
import dev.sro.core.model.Code;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.plan.Write;
import dev.sro.core.plan.WriteFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Remembers refused writes of one special resource, each with the time before which it is not tried again. Memory only:
 * after a restart everything is tried once more. Thread-safe.
 */
public final class Failures {

    private static final Duration FIRST_DELAY = Duration.ofSeconds(1);
    private static final Duration MAX_DELAY = Duration.ofMinutes(1);

    /**
     * A disruption budget lets the next pod go as soon as another one is ready, of which nothing is heard here. Who waited as long as for
     * a server that is ill would empty a node of one pod a minute, and not in its time.
     */
    private static final Duration MAX_BLOCKED = Duration.ofSeconds(8);

    /** What a server may wish at most; priority and fairness of the API server wishes a second, its gateways up to some minutes. */
    private static final Duration MAX_WISH = Duration.ofMinutes(5);

    /** 2^6 seconds are beyond the longest delay. */
    private static final int MAX_DOUBLINGS = 6;

    private final ConcurrentHashMap<ObjectRef, WriteFailure> failures = new ConcurrentHashMap<>();

    /** A copy of what is remembered. */
    public Map<ObjectRef, WriteFailure> current() {
        return Map.copyOf(failures);
    }

    /** Forgets pods that do not matter any more: a pod that went by itself is written to no more. */
    public void retainPods(Predicate<ObjectRef> known) {
        failures.keySet().removeIf(ref -> ref.kind().equals("Pod") && !known.test(ref));
    }

    /**
     * Forgets what is due and not wanted any more: a write that nobody tries again would be told of for ever, though a restart would
     * find nothing wrong. What a refusal tells of the object, and not of the attempt, is kept: it is why nobody tries.
     *
     * @param wanted what is to be written now
     * @return whether anything was forgotten, so that what was planned with it has to be planned again
     */
    public boolean forgetUnwanted(Collection<Write> wanted, Instant now) {
        if (failures.values().stream().noneMatch(failure -> isPassing(failure, now))) {
            return false;
        }
        Set<ObjectRef> refs = wanted.stream().map(Write::ref).collect(Collectors.toSet());
        return failures.entrySet()
                .removeIf(failure -> isPassing(failure.getValue(), now) && !refs.contains(failure.getKey()));
    }

    private static boolean isPassing(WriteFailure failure, Instant now) {
        return !failure.retryAt().isAfter(now) && !failure.isOfTheObject();
    }

    /** Forgets everything: the special resource changed, so all may be different now. */
    public void clear() {
        failures.clear();
    }

    void succeeded(ObjectRef ref) {
        failures.remove(ref);
    }

    void failed(ObjectRef ref, WriteException e, Instant now) {
        WriteFailure last = failures.get(ref);
        int attempts = last == null ? 1 : last.attempts() + 1;
        Duration delay = e.retryAfter().map(Failures::capped).orElseGet(() -> delay(attempts, e.kind()));
        failures.put(ref, new WriteFailure(problem(ref, e), now.plus(delay), attempts, tells(e)));
    }

    /** It failed in a way that nobody thought of. */
    void unexpected(ObjectRef ref, Throwable thrown, Instant now) {
        WriteFailure last = failures.get(ref);
        int attempts = last == null ? 1 : last.attempts() + 1;
        failures.put(
                ref,
                new WriteFailure(UnexpectedFailure.writing(ref, thrown), now.plus(UnexpectedFailure.AGAIN), attempts));
    }

    /** An apply does not last: the object is as it was before, or becomes so at once. */
    public void contested(ObjectRef ref, String why, Instant now) {
        WriteFailure last = failures.get(ref);
        int attempts = last == null ? 1 : last.attempts() + 1;
        Problem problem = Problem.platform(
                "FieldContested",
                ref + ": " + why + " again right after it was applied; find out who changes it back (managedFields)");
        failures.put(ref, new WriteFailure(problem, now.plus(MAX_DELAY), attempts));
    }

    /** Whoever says a day has made a mistake, or is none of those who may keep a cluster waiting. */
    private static Duration capped(Duration wish) {
        return wish.compareTo(MAX_WISH) > 0 ? MAX_WISH : wish;
    }

    private static Duration delay(int attempts, WriteException.Kind kind) {
        Duration doubled = FIRST_DELAY.multipliedBy(1L << Math.min(attempts - 1, MAX_DOUBLINGS));
        Duration most = kind == WriteException.Kind.BLOCKED ? MAX_BLOCKED : MAX_DELAY;
        return doubled.compareTo(most) > 0 ? most : doubled;
    }

    private static WriteFailure.Tells tells(WriteException e) {
        return switch (e.kind()) {
            case NOT_OWNED -> WriteFailure.Tells.OTHERS_OBJECT;
            case UNDECLARED -> WriteFailure.Tells.UNDECLARED_FIELD;
            default -> WriteFailure.Tells.THE_ATTEMPT;
        };
    }

    private static Problem problem(ObjectRef ref, WriteException e) {
        String message = ref + ": " + e.getMessage();
        return switch (e.kind()) {
            case CONFLICT -> new Problem("WriteConflict", message, Problem.Owner.PLATFORM, true);
            case FORBIDDEN -> new Problem(Code.FORBIDDEN.text(), message, Problem.Owner.PLATFORM, true);
            case FORBIDDEN_TO_RECIPE -> new Problem(Code.FORBIDDEN_TO_RECIPE.text(), message, Problem.Owner.USER, true);
            case INVALID -> new Problem("ObjectRefused", message, Problem.Owner.VENDOR, true);
            case UNDECLARED -> new Problem("UndeclaredField", message, Problem.Owner.VENDOR, true);
            case NOT_FOUND -> new Problem("NotFound", message, Problem.Owner.PLATFORM, true);
            case NOT_OWNED -> new Problem("ObjectNotOwned", message, Problem.Owner.USER, true);
            case BLOCKED -> new Problem("EvictionBlocked", message, Problem.Owner.USER, true);
            case THROTTLED -> new Problem("Throttled", message, Problem.Owner.PLATFORM, true);
            case UNAVAILABLE -> new Problem("ApiServerUnavailable", message, Problem.Owner.PLATFORM, true);
        };
    }
}
