package dev.sro.core.client.informer;

import dev.sro.api.Outcome;
import dev.sro.api.Problem;
import dev.sro.core.client.discovery.KindCatalog;
import dev.sro.core.client.router.Seer;
import dev.sro.core.client.watch.KindWatch;
import dev.sro.core.client.watch.WatchSweep;
import dev.sro.core.engine.port.Timers;
import dev.sro.core.manifest.AccountManifests;
import dev.sro.core.model.Code;
import dev.sro.core.model.RecipeAccount;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The watches of operands, each from when a plan asks for it. Which are still needed is told by the plans alone: when a special resource
 * comes, changes or goes, every one of them is reconciled, and what none has asked for some time afterwards is closed.
 *
 * <p>A kind that is watched in the whole cluster is seen by everybody. Otherwise what a recipe has is watched as its account, in its
 * namespaces; SRO itself asks for the whole cluster where there is no account, or where the account may not. Thread-safe.
 */
final class OperandWatches implements AutoCloseable {

    /** What was granted a moment ago is not known to every API server yet. */
    private static final Duration GRANTING = Duration.ofSeconds(10);

    private static final String FIX = "sro rbac --for special-resource.yaml --apply";

    private static final class Asked {
        private final KindWatch watch;
        private long at;

        Asked(KindWatch watch, long at) {
            this.watch = watch;
            this.at = at;
        }
    }

    /** Told what nobody watches any more. */
    interface Closed {
        /** @param namespaces of which what was known is not known any more; the empty one for what is in none */
        void forget(String kind, Predicate<String> namespaces);
    }

    private final Function<OperandScope, Optional<KindWatch>> start;
    private final Closed closed;
    private final Clock clock;
    private final Timers timers;
    private final Runnable changed;
    private final Map<OperandScope, Asked> watches = new HashMap<>();
    /** Accounts that were asked for before there were any. */
    private final Set<RecipeAccount> awaited = ConcurrentHashMap.newKeySet();
    /** Until when an account may not have what it was given. */
    private final Map<RecipeAccount, Instant> granting = new HashMap<>();

    private final WatchSweep sweep;
    private boolean ended;

    /**
     * @param start starts to watch, without waiting; empty if the kind is not served
     * @param changed told when what is seen may be judged in another way though nothing happened
     */
    OperandWatches(
            Function<OperandScope, Optional<KindWatch>> start,
            Closed closed,
            Runnable changed,
            Clock clock,
            Timers timers) {
        this.timers = timers;
        this.changed = changed;
        this.sweep = new WatchSweep(timers, since -> close((scope, asked) -> asked.at < since, false));
        this.start = start;
        this.closed = closed;
        this.clock = clock;
    }

    /**
     * Watches what a plan needs.
     *
     * @param namespaces where objects may be
     * @return why they cannot be seen now, if they cannot
     */
    Optional<Outcome> watch(String kind, Set<String> namespaces, Seer seer, KindCatalog catalog, Instant now) {
        OperandScope everywhere = OperandScope.everywhere(kind);
        if (sees(everywhere, now)) {
            return find(everywhere).flatMap(asked -> asked.watch.obstacle(now));
        }
        Optional<ResourceDefinitionContext> served = catalog.kinds().find(kind);
        boolean inNamespaces =
                served.map(ResourceDefinitionContext::isNamespaceScoped).orElse(true);
        if (seer.isAwaited() && inNamespaces && !AccountManifests.KINDS.contains(kind)) {
            // Not even whether it is served: nobody would tell that it is not any more.
            return Optional.of(awaiting(kind, seer, now));
        }
        if (served.isEmpty()) {
            return find(everywhere)
                    .map(asked -> asked.watch.obstacle(now))
                    .orElseGet(() -> Optional.of(unserved(kind, catalog, now)));
        }
        if (!inNamespaces || seer.account().isEmpty()) {
            return obstacle(everywhere, now);
        }
        if (AccountManifests.KINDS.contains(kind)) {
            // By these it shows whether there is an account.
            Optional<Outcome> own = obstacle(everywhere, now);
            if (!isForbidden(own)) {
                return own;
            }
        }
        if (seer.isAwaited()) {
            return Optional.of(awaiting(kind, seer, now));
        }
        granted(seer.account().get(), now);
        Optional<Outcome> accounts = obstacle(kind, namespaces, seer, now);
        if (!isForbidden(accounts)) {
            return accounts;
        }
        Optional<Outcome> own = obstacle(everywhere, now);
        if (own.isEmpty()) {
            // Nobody has to ask again and again what is known otherwise.
            close((scope, asked) -> scope.kind().equals(kind) && scope.account().equals(seer.account()), false);
        }
        return isForbidden(own) ? accounts : own;
    }

    private Outcome awaiting(String kind, Seer seer, Instant now) {
        seer.account().ifPresent(awaited::add);
        return Outcome.waiting(
                Code.ACCOUNT_PENDING.text(), now, "the account of the recipe, by which " + kind + " is seen");
    }

    private static Outcome unserved(String kind, KindCatalog catalog, Instant now) {
        return catalog.isInDoubt(kind)
                ? Outcome.waiting("CacheFilling", now, "the API server is asked whether it serves " + kind)
                : Outcome.failed(Problem.platform(
                        Code.KIND_NOT_SERVED.text(),
                        "the cluster does not serve " + kind + "; install what provides it"));
    }

    /** As the account sees it: the worst of all namespaces. */
    private Optional<Outcome> obstacle(String kind, Set<String> namespaces, Seer seer, Instant now) {
        Optional<Outcome> worst = Optional.empty();
        for (String namespace : new TreeSet<>(namespaces)) {
            RecipeAccount account = seer.in(namespace, seer.account().orElseThrow());
            OperandScope scope = new OperandScope(kind, namespace, Optional.of(account));
            Optional<Outcome> here = obstacle(scope, now).map(outcome -> refused(scope, account, outcome, now));
            if (isForbidden(here) && seer.former().containsKey(namespace)) {
                // Who may write roles in a namespace can have it look like a former one: that must hold up nobody.
                continue;
            }
            Optional<Outcome> before = worst;
            worst = here.map(outcome -> Outcome.worse(before.orElse(outcome), outcome))
                    .or(() -> before);
        }
        return worst;
    }

    private Outcome refused(OperandScope scope, RecipeAccount account, Outcome outcome, Instant now) {
        if (!Code.FORBIDDEN.is(outcome) || !(outcome instanceof Outcome.Failed failed)) {
            return outcome;
        }
        if (isGranting(account, now)) {
            return Outcome.waiting("CacheFilling", now, "the cache of " + scope + " fills");
        }
        return Outcome.failed(new Problem(
                Code.FORBIDDEN_TO_RECIPE.text(),
                account + " may not list and watch " + scope.kind() + " in namespace " + scope.namespace()
                        + ", and neither may SRO in the whole cluster; if the recipe shall have such objects: " + FIX
                        + " ("
                        + failed.problem().message() + ")",
                Problem.Owner.USER,
                true));
    }

    private static boolean isForbidden(Optional<Outcome> outcome) {
        return outcome.filter(Code.FORBIDDEN::is)
                .or(() -> outcome.filter(Code.FORBIDDEN_TO_RECIPE::is))
                .isPresent();
    }

    /** Has it watched; says why nothing is seen yet. */
    private Optional<Outcome> obstacle(OperandScope scope, Instant now) {
        Optional<Asked> known = find(scope);
        if (known.isEmpty()) {
            open(scope);
            return Optional.of(Outcome.waiting("CacheFilling", now, "the cache of " + scope + " fills"));
        }
        return known.get().watch.obstacle(now);
    }

    private synchronized boolean sees(OperandScope scope, Instant now) {
        Asked known = watches.get(scope);
        return known != null && known.watch.obstacle(now).isEmpty();
    }

    /** It has its rights: for a moment they may not work everywhere. */
    private synchronized void granted(RecipeAccount account, Instant now) {
        if (awaited.remove(account) && !ended) {
            granting.put(account, now.plus(GRANTING));
            timers.schedule(GRANTING, changed);
        }
    }

    private synchronized boolean isGranting(RecipeAccount account, Instant now) {
        granting.values().removeIf(until -> !until.isAfter(now));
        return granting.containsKey(account);
    }

    private synchronized Optional<Asked> find(OperandScope scope) {
        Asked known = watches.get(scope);
        if (known != null) {
            known.at = sweep.now();
        }
        return Optional.ofNullable(known);
    }

    private synchronized void open(OperandScope scope) {
        if (!ended && !watches.containsKey(scope)) {
            start.apply(scope).ifPresent(watch -> watches.put(scope, new Asked(watch, sweep.now())));
        }
    }

    /** Everybody is reconciled now, and says again what is needed. */
    void doubt() {
        sweep.doubt();
    }

    /** Looks after all of them, see {@link KindWatch#check}. */
    void check(Duration silence) {
        all().forEach(watch -> watch.check(silence));
    }

    /** Closes those of kinds that are not served any more. */
    void retain(Predicate<String> served) {
        close((scope, asked) -> !served.test(scope.kind()), true);
    }

    private interface Which {
        boolean is(OperandScope scope, Asked asked);
    }

    /** @param gone whether the objects are, too */
    private void close(Which which, boolean gone) {
        Map<OperandScope, Asked> left = new HashMap<>();
        Map<OperandScope, Asked> others;
        synchronized (this) {
            watches.forEach((scope, asked) -> {
                if (which.is(scope, asked)) {
                    left.put(scope, asked);
                }
            });
            watches.keySet().removeAll(left.keySet());
            others = Map.copyOf(watches);
        }
        Instant now = clock.instant();
        left.forEach((scope, asked) -> {
            asked.watch.close();
            closed.forget(
                    scope.kind(),
                    namespace -> scope.covers(namespace)
                            && (gone
                                    || others.entrySet().stream()
                                            .noneMatch(other ->
                                                    other.getKey().kind().equals(scope.kind())
                                                            && other.getKey().covers(namespace)
                                                            && other.getValue()
                                                                    .watch
                                                                    .obstacle(now)
                                                                    .isEmpty())));
        });
    }

    /** All that are open. */
    synchronized Collection<KindWatch> all() {
        List<KindWatch> all = new ArrayList<>();
        watches.values().forEach(asked -> all.add(asked.watch));
        return all;
    }

    @Override
    public void close() {
        synchronized (this) {
            ended = true;
        }
        sweep.close();
        all().forEach(KindWatch::close);
    }
}
