package dev.sro.core.slicing.mig;

import java.util.List;
import java.util.function.Function;

/** The meaning of a named configuration for the devices of a node. */
public sealed interface MigResolution {
    /** The result of the function for the case that this is. */
    <R> R map(Function<Resolved, R> resolved, Function<Refused, R> refused);

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

        @Override
        public <R> R map(Function<Resolved, R> resolved, Function<Refused, R> refused) {
            return resolved.apply(this);
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

        @Override
        public <R> R map(Function<Resolved, R> resolved, Function<Refused, R> refused) {
            return refused.apply(this);
        }
    }
}
