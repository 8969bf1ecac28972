package dev.sro.core.slicing;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The answer to a request. */
public sealed interface Decision {
    /** Every slice that was asked for is taken; in the order of the requests. */
    record Granted(List<SliceClaim> claims) implements Decision {
        /** Copies the list. */
        public Granted {
            claims = List.copyOf(claims);
        }

        /** The claim of a request for one slice. */
        public SliceClaim claim() {
            return claims.get(0);
        }

        @Override
        public <R> R map(Function<Granted, R> granted, Function<Refused, R> refused) {
            return granted.apply(this);
        }
    }

    /**
     * Nothing was taken and nothing has changed.
     *
     * @param reason why, for programs
     * @param explanation why, for people
     * @param plan for what is {@link Reason#FRAGMENTED}: moves that make room, if at most three for each request do, as from
     *     {@link SliceAllocator#planAdmission} and {@link SliceAllocator#planGang}
     */
    record Refused(Reason reason, String explanation, Optional<MovePlan> plan) implements Decision {
        @Override
        public <R> R map(Function<Granted, R> granted, Function<Refused, R> refused) {
            return refused.apply(this);
        }
    }

    /** Why a request was refused. */
    enum Reason {
        /** No arrangement of what runs on the allowed devices leaves room: proved by a closed form. */
        INFEASIBLE,
        /** Not in one piece: no free window, but the closed form does not rule out an arrangement with one. */
        FRAGMENTED,
        /** No device fulfils the constraints of the request, whatever runs on it. */
        NO_SUCH_DEVICE
    }

    /** The result of the function for the case that this is. */
    <R> R map(Function<Granted, R> granted, Function<Refused, R> refused);

    /** Whether the request was granted. */
    default boolean granted() {
        return map(granted -> true, refused -> false);
    }
}
