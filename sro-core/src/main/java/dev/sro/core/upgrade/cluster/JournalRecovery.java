package dev.sro.core.upgrade.cluster;

import dev.sro.api.resource.UpgradeStatus;
import dev.sro.core.upgrade.machine.Journal;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is still known when a journal was deleted or emptied: the status of the special resource says which driver was the last good one,
 * and that another one was rolled back. Stateless.
 */
public final class JournalRecovery {

    private JournalRecovery() {}

    /**
     * The journal, with what it lacks and the status has.
     *
     * @param status of the upgrade as last written; null for none
     * @param rollbackOf the revision that the user has rolled back: that needs no memory
     */
    public static Journal restore(Journal journal, @Nullable UpgradeStatus status, Optional<String> rollbackOf) {
        String good = status == null ? null : status.getLastGood();
        if (status == null || good == null || !journal.good().isEmpty()) {
            return journal;
        }
        String wanted = status.getWanted();
        String rejected = wanted != null
                        && !wanted.equals(good)
                        && good.equals(status.getTarget())
                        && rollbackOf.filter(wanted::equals).isEmpty()
                ? wanted
                : journal.rejected();
        return new Journal(
                journal.target(),
                journal.since(),
                good,
                rejected,
                journal.wave(),
                journal.waveDone(),
                journal.halt(),
                journal.resumed(),
                journal.forgiven(),
                journal.entries());
    }
}
