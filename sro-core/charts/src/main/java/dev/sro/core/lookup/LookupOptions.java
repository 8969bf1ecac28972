package dev.sro.core.lookup;

import java.time.Duration;
import java.util.Optional;

/**
 * What one who asks wants beyond the answer. Immutable.
 *
 * @param every how often to look while there is no success; less and less often where it is empty
 * @param refresh how old a success may be before it is looked up again; any age where it is empty
 * @param reason a change of it is a reason to look at once
 */
public record LookupOptions(Optional<Duration> every, Optional<Duration> refresh, String reason) {

    /** Less and less often until there is a success, which stays. */
    public static final LookupOptions ONCE = new LookupOptions(Optional.empty(), Optional.empty(), "");

    /** Less and less often until there is a success, which is looked up again when it is so old. */
    public static LookupOptions refreshed(Duration age) {
        return new LookupOptions(Optional.empty(), Optional.of(age), "");
    }
}
