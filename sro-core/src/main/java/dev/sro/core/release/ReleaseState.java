package dev.sro.core.release;

import java.util.Collections;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What of a revision may change while it lasts, and what tells it from another. Immutable.
 *
 * @param revision from one on
 * @param status how far it is
 * @param key digest of chart, values and hooks: hooks run once for each
 * @param digest of everything that was rendered: equal for equal releases
 * @param upgrade whether the hooks of an upgrade are the ones to run, not those of an installation
 * @param hooks how far each hook is, by {@link HookKeys}
 * @param pools pools for which kernel-affine hooks were run when everything was ready
 * @param description for a person
 */
public record ReleaseState(
        int revision,
        ReleaseStatus status,
        String key,
        String digest,
        boolean upgrade,
        SortedMap<String, HookRun> hooks,
        SortedSet<String> pools,
        String description) {

    /** Copies the collections. */
    public ReleaseState {
        hooks = Collections.unmodifiableSortedMap(new TreeMap<>(hooks));
        pools = Collections.unmodifiableSortedSet(new TreeSet<>(pools));
    }

    /** The same with another status. */
    public ReleaseState with(ReleaseStatus other, String why) {
        return new ReleaseState(revision, other, key, digest, upgrade, hooks, pools, why);
    }

    /** The same with other hooks. */
    public ReleaseState with(SortedMap<String, HookRun> others) {
        return new ReleaseState(revision, status, key, digest, upgrade, others, pools, description);
    }

    /** The same with other pools. */
    public ReleaseState with(Set<String> others) {
        return new ReleaseState(revision, status, key, digest, upgrade, hooks, new TreeSet<>(others), description);
    }
}
