package dev.sro.core.slicing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;

/** Carries plans out as somebody would who can only stop and start claims. */
final class MovePlans {
    private MovePlans() {}

    /** Does the moves as the plan says, on a copy: throws where a place is not free. */
    static void doStepByStep(SliceAllocator allocator, MovePlan plan) {
        SliceAllocator copy = allocator.whatIf();
        int single = plan.moves().size() - plan.stopFirst();
        for (MovePlan.ClaimMove move : plan.moves().subList(0, single)) {
            copy.adopt(moved(copy.release(move.claim()), move));
        }
        List<SliceClaim> stopped = new ArrayList<>();
        for (MovePlan.ClaimMove move : plan.moves().subList(single, plan.moves().size())) {
            stopped.add(moved(copy.release(move.claim()), move));
        }
        stopped.forEach(copy::adopt);
        allocator.apply(plan);
        assertThat(copy.stateHash()).isEqualTo(allocator.stateHash());
    }

    private static SliceClaim moved(SliceClaim claim, MovePlan.ClaimMove move) {
        assertThat(claim.movable()).as(claim.toString()).isTrue();
        return SliceClaim.builder()
                .from(claim)
                .device(move.toDevice())
                .start(move.toStart())
                .build();
    }
}
