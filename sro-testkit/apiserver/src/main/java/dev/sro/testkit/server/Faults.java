package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.VirtualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Makes requests fail. Each rule says which requests it is about and what becomes of them; the first rule that fires wins.
 * Chances are drawn from the cluster's seed, so the same requests in the same order fail alike. Thread-safe.
 *
 * <p>Watches have faults of their own: {@link ApiServer#dropWatches}, {@link ApiServer#silenceWatches} and {@link
 * ApiServer#forgetHistory}.
 */
public final class Faults {
    private enum Effect {
        ANSWER,
        RESET,
        LOSE_ANSWER,
        DELAY
    }

    /** What becomes of a request: an answer instead of its effect, or its effect but no answer, or nothing special. */
    record Verdict(@Nullable ApiResponse answer, boolean loseAnswer) {
        static final Verdict PASS = new Verdict(null, false);
    }

    /** A rule being built; it takes effect with one of the closing methods. */
    public final class Rule {
        private Set<String> verbs = Set.of();
        private Set<String> resources = Set.of();
        private @Nullable String namespace;
        private @Nullable String name;
        private Predicate<ApiRequest> when = r -> true;
        private double chance = 1;
        private int skip;
        private int left = Integer.MAX_VALUE;
        private Effect effect = Effect.ANSWER;
        private @Nullable ApiResponse answer;
        private Duration delay = Duration.ZERO;

        private Rule() {}

        /** Only these verbs: get, list, watch, create, update, patch, delete, deletecollection. */
        public Rule verbs(String... only) {
            verbs = Set.of(only);
            return this;
        }

        /** Only writes: create, update, patch, delete, deletecollection. */
        public Rule writes() {
            return verbs("create", "update", "patch", "delete", "deletecollection");
        }

        /** Only these resources: group-qualified plurals such as {@code daemonsets.apps}. */
        public Rule resources(String... only) {
            resources = Set.of(only);
            return this;
        }

        /** Only objects of this namespace. */
        public Rule namespace(String only) {
            namespace = only;
            return this;
        }

        /** Only the object of this name. */
        public Rule name(String only) {
            name = only;
            return this;
        }

        /** Only requests of this kind. */
        public Rule when(Predicate<ApiRequest> condition) {
            when = condition;
            return this;
        }

        /** Fires for this share of the matching requests, between 0 and 1. */
        public Rule chance(double share) {
            chance = share;
            return this;
        }

        /** Lets the first matching requests pass. */
        public Rule after(int requests) {
            skip = requests;
            return this;
        }

        /** Fires at most this often. */
        public Rule times(int most) {
            left = most;
            return this;
        }

        /** 429 with a Retry-After. */
        public Rule tooManyRequests(Duration retryAfter) {
            ObjectNode details = Json.object().put("retryAfterSeconds", Math.max(1, retryAfter.toSeconds()));
            return answer(new ApiException(
                    429,
                    "TooManyRequests",
                    "the server has received too many requests, please try again later",
                    details));
        }

        /** 500. */
        public Rule internalError() {
            return answer(new ApiException(500, "InternalError", "Internal error occurred: fault injected"));
        }

        /** 503. */
        public Rule unavailable() {
            return answer(new ApiException(
                    503, "ServiceUnavailable", "the server is currently unable to handle the request"));
        }

        /** 409 as if somebody else had been faster. */
        public Rule conflict() {
            return answer(new ApiException(
                    409,
                    "Conflict",
                    "Operation cannot be fulfilled: the object has been modified; please apply your changes to the"
                            + " latest version and try again"));
        }

        /** 403. */
        public Rule forbidden() {
            return answer(new ApiException(403, "Forbidden", "forbidden: fault injected"));
        }

        /** 504 before anything happened. */
        public Rule timeout() {
            ObjectNode details = Json.object().put("retryAfterSeconds", 1);
            return answer(new ApiException(
                    504, "Timeout", "Timeout: request did not complete within the allotted timeout", details));
        }

        /** Any refusal. */
        public Rule answer(ApiException refusal) {
            effect = Effect.ANSWER;
            answer = ApiResponse.error(refusal);
            return install();
        }

        /** The connection breaks before the request takes effect. */
        public Rule connectionReset() {
            effect = Effect.RESET;
            return install();
        }

        /** The request takes effect, but its answer is lost. */
        public Rule loseAnswer() {
            effect = Effect.LOSE_ANSWER;
            return install();
        }

        /** The request takes this long on the cluster's clock, then goes on to the next rule. */
        public Rule delay(Duration time) {
            effect = Effect.DELAY;
            delay = time;
            return install();
        }

        private Rule install() {
            add(this);
            return this;
        }

        /** Takes the rule back. */
        public void remove() {
            removeRule(this);
        }

        private boolean fires(String verb, @Nullable RequestPath path, ApiRequest request) {
            if (left <= 0 || !matches(verb, path, request)) {
                return false;
            }
            if (skip > 0) {
                skip--;
                return false;
            }
            if (chance < 1 && random.nextDouble() >= chance) {
                return false;
            }
            left--;
            return true;
        }

        private boolean matches(String verb, @Nullable RequestPath path, ApiRequest request) {
            return (verbs.isEmpty() || verbs.contains(verb))
                    && (resources.isEmpty()
                            || (path != null && resources.contains(path.gvr().groupResource())))
                    && (namespace == null || (path != null && namespace.equals(path.namespace())))
                    && (name == null || (path != null && name.equals(path.name())))
                    && when.test(request);
        }
    }

    private final VirtualClock clock;
    private final SplittableRandom random;
    private volatile List<Rule> rules = List.of();

    Faults(VirtualClock clock, long seed) {
        this.clock = clock;
        this.random = new SplittableRandom(seed ^ 0x5bd1e995L);
    }

    /** Begins a rule. */
    public Rule rule() {
        return new Rule();
    }

    /** Takes all rules back. */
    public synchronized void clear() {
        rules = List.of();
    }

    private synchronized void add(Rule rule) {
        List<Rule> more = new ArrayList<>(rules);
        more.add(rule);
        rules = List.copyOf(more);
    }

    private synchronized void removeRule(Rule rule) {
        List<Rule> fewer = new ArrayList<>(rules);
        fewer.removeIf(r -> r == rule);
        rules = List.copyOf(fewer);
    }

    Verdict judge(String verb, @Nullable RequestPath path, ApiRequest request) {
        if (rules.isEmpty()) {
            return Verdict.PASS;
        }
        Duration wait = Duration.ZERO;
        Verdict verdict = Verdict.PASS;
        synchronized (this) {
            for (Rule rule : rules) {
                if (rule.fires(verb, path, request)) {
                    if (rule.effect == Effect.DELAY) {
                        wait = wait.plus(rule.delay);
                        continue;
                    }
                    verdict = verdict(rule, request);
                    break;
                }
            }
        }
        if (!wait.isZero()) {
            clock.advance(wait);
        }
        return verdict;
    }

    private static Verdict verdict(Rule rule, ApiRequest request) {
        return switch (rule.effect) {
            case RESET -> throw new LostAnswerException(request.method() + " " + request.path());
            case LOSE_ANSWER -> new Verdict(null, true);
            case ANSWER, DELAY -> new Verdict(rule.answer, false);
        };
    }
}
