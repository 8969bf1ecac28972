package dev.sro.core.upgrade.machine;

import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What is said of resets that devices of a node need. Immutable.
 *
 * @param needed devices that need one; it may be ordered
 * @param failed devices that need one which failed; they are left as they are
 * @param ordered devices that are to be reset now, as the node says; empty for none
 * @param by who does it, for people
 * @param leaving pods that have to be gone before, as they build upon the driver; known of a node in {@link UpgradePhase#DEVICE_RESET}
 */
public record DeviceReset(
        SortedSet<String> needed, SortedSet<String> failed, String ordered, String by, List<String> leaving) {

    /** Nothing is said. */
    public static final DeviceReset NONE = new DeviceReset(new TreeSet<>(), new TreeSet<>(), "", "", List.of());

    /** Copies. */
    public DeviceReset {
        needed = Collections.unmodifiableSortedSet(new TreeSet<>(needed));
        failed = Collections.unmodifiableSortedSet(new TreeSet<>(failed));
        leaving = List.copyOf(leaving);
        Objects.requireNonNull(ordered, "ordered");
        Objects.requireNonNull(by, "by");
    }

    /** Whether one may be ordered. */
    boolean due() {
        return !needed.isEmpty();
    }

    /** Whether all that need one were tried in vain. */
    boolean gaveUp() {
        return needed.isEmpty() && !failed.isEmpty();
    }

    /** What an order says. */
    String order() {
        return String.join(",", needed);
    }

    /** Of what was tried in vain, for people. */
    String failure() {
        return String.join(", ", failed) + " could not be reset, says " + by
                + ": left as before, and not tried again unless something else is asked of it or somebody asks for it";
    }
}
