package dev.sro.core.release;

import java.util.Locale;
import java.util.Optional;

/** Helm's states of a release, those that SRO uses. */
public enum ReleaseStatus {
    /** The first one, on its way. */
    PENDING_INSTALL,
    /** A later one, on its way. */
    PENDING_UPGRADE,
    /** Everything of it was ready once. */
    DEPLOYED,
    /** Something of it failed before everything was ready; or it was replaced before. */
    FAILED,
    /** Was deployed; a later one is now. */
    SUPERSEDED,
    /** Is being taken away. */
    UNINSTALLING;

    /** As Helm writes it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Whether it is on its way. */
    public boolean isPending() {
        return this == PENDING_INSTALL || this == PENDING_UPGRADE;
    }

    /** Whether all of it was ready at some time. */
    public boolean wasDeployed() {
        return this == DEPLOYED || this == SUPERSEDED;
    }

    static Optional<ReleaseStatus> of(String word) {
        for (ReleaseStatus status : values()) {
            if (status.word().equals(word)) {
                return Optional.of(status);
            }
        }
        return Optional.empty();
    }
}
