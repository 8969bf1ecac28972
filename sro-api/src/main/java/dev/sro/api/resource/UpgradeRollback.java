package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/**
 * The reaction to a new driver that fails.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class UpgradeRollback extends ResourceValue {
    @JsonPropertyDescription("Whether a roll-out that halted goes back to the last good driver.")
    private @Nullable Boolean automatic;

    @JsonPropertyDescription(
            "Revision that is rolled back to the last good one, as status.upgrade.wanted names it. Another revision is"
                    + " not affected; remove it to go forward again.")
    private @Nullable String of;

    /** Creates an object with no field set. */
    public UpgradeRollback() {}

    /** Returns whether a roll-out that halted goes back to the last good driver; null when absent. */
    public @Nullable Boolean getAutomatic() {
        return automatic;
    }

    /** Sets it; null removes it. */
    public void setAutomatic(@Nullable Boolean automatic) {
        this.automatic = automatic;
    }

    /** Returns the revision that is rolled back; null when absent. */
    public @Nullable String getOf() {
        return of;
    }

    /** Sets it; null removes it. */
    public void setOf(@Nullable String of) {
        this.of = of;
    }
}
