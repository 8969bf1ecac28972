package dev.sro.runtime.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.das.AllocationClaim;
import dev.sro.core.placement.PlacedSlice;
import dev.sro.core.placement.PodSlices;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is known of claims when their writes fail. */
class ClaimWriterTest {
    private final PlayedScheduler on = new PlayedScheduler();

    @AfterEach
    void close() {
        on.close();
    }

    private PlacedSlice slice() {
        on.fleet(1, 1);
        return on.scheduler(false)
                .fleet()
                .decide(
                        PodSlices.of(on.world.create(SliceWorld.pod("default", "train", "mig.das.com/1g.5gb", 1)))
                                .orElseThrow(),
                        on.nodes,
                        on.now.plus(Duration.ofMinutes(1)))
                .slices()
                .get(0);
    }

    private static PlacedSlice at(PlacedSlice slice, int start) {
        return new PlacedSlice(
                slice.namespace(),
                slice.claim(),
                slice.pod(),
                slice.uid(),
                slice.container(),
                slice.node(),
                slice.gpu(),
                slice.profile(),
                start,
                slice.size());
    }

    private ClaimWriter.Outcome write(PlacedSlice slice) {
        return new ClaimWriter(on.client).write(List.of(slice)).outcome();
    }

    @Test
    void whatIsThereAlreadyIsWritten() {
        PlacedSlice slice = slice();
        write(slice);

        assertThat(write(slice)).isEqualTo(ClaimWriter.Outcome.WRITTEN);
    }

    @Test
    void aClaimOfAnotherPlaceUnderTheSameNameIsLeftAlone() {
        PlacedSlice first = slice();
        write(first);

        assertThat(write(at(first, (first.start() + 1) % 7))).isEqualTo(ClaimWriter.Outcome.REFUSED);
        assertThat(on.world.claims()).extracting(AllocationClaim::start).containsExactly(first.start());
    }

    @Test
    void anAnswerThatWasLostIsLookedFor() {
        PlacedSlice slice = slice();
        on.cluster.faults().rule().verbs("create").times(1).loseAnswer();

        assertThat(write(slice)).isEqualTo(ClaimWriter.Outcome.WRITTEN);
        assertThat(on.world.claims()).hasSize(1);
    }

    @Test
    void whereNobodyCanSayNothingIsDeleted() {
        PlacedSlice slice = slice();
        on.cluster.faults().rule().verbs("create").times(1).loseAnswer();
        on.cluster.faults().rule().verbs("get").times(1).unavailable();

        assertThat(write(slice)).isEqualTo(ClaimWriter.Outcome.UNKNOWN);
        assertThat(on.world.claims()).hasSize(1);
    }
}
