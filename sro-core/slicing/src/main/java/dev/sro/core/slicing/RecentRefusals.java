package dev.sro.core.slicing;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The claims that were refused lately. What waits for a slice asks again and again, and says by that nothing more of what is asked for
 * than it said the first time. Not thread-safe.
 */
final class RecentRefusals {
    /** Claims that are remembered: more than wait in most clusters, and half a megabyte of names at most. */
    private static final int MOST = 4096;

    private final Set<String> claims;

    RecentRefusals() {
        claims = new LinkedHashSet<>();
    }

    private RecentRefusals(RecentRefusals other) {
        claims = new LinkedHashSet<>(other.claims);
    }

    RecentRefusals copy() {
        return new RecentRefusals(this);
    }

    /** Notes a refusal; false if the same claim was refused before and has got nothing since. */
    boolean isFirst(String claim) {
        if (!claims.add(claim)) {
            return false;
        }
        if (claims.size() > MOST) {
            Iterator<String> oldest = claims.iterator();
            oldest.next();
            oldest.remove();
        }
        return true;
    }

    /** Notes that a claim has got a slice, so that it is another request if it is refused later on; whether it had been refused. */
    boolean hadWaited(String claim) {
        return !claims.isEmpty() && claims.remove(claim);
    }
}
