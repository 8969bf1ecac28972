package dev.sro.core.slicing.mig;

import java.util.List;

/** What a named configuration means for the devices of a node. */
public sealed interface MigResolution {
    /**
     * Every device has its layout.
     *
     * @param layouts in the order of the devices given
     */
    record Resolved(List<MigLayout> layouts) implements MigResolution {
        /** Copies the list. */
        public Resolved {
            layouts = List.copyOf(layouts);
        }
    }

    /**
     * The configuration does not hold for these devices; nothing should be changed.
     *
     * @param problems every reason, each naming configuration, device and profile, and what would fit
     */
    record Refused(List<String> problems) implements MigResolution {
        /** Copies the list. */
        public Refused {
            problems = List.copyOf(problems);
        }
    }
}
