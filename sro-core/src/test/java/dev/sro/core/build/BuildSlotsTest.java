package dev.sro.core.build;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BuildSlotsTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final BuildSlots slots = new BuildSlots(2);

    private boolean take(String resource, String build, Instant now, String... running) {
        return slots.take(resource, build, () -> Set.of(running), now);
    }

    @Test
    void countsWhatRunsAndWhatWasAllowedAMomentAgo() {
        assertThat(take("a", "a-1", NOW, "x")).isTrue();
        assertThat(take("a", "a-1", NOW, "x")).as("the same again").isTrue();
        assertThat(take("b", "b-1", NOW, "x")).isFalse();
        assertThat(take("b", "b-1", NOW.plusSeconds(1), "x", "a-1")).isFalse();
        assertThat(take("b", "b-1", NOW.plusSeconds(2), "a-1"))
                .as("x has ended")
                .isTrue();
    }

    @Test
    void forgetsWhatWasAllowedAndNeverMade() {
        assertThat(take("a", "a-1", NOW, "x")).isTrue();
        assertThat(take("b", "b-1", NOW.plusSeconds(59), "x")).isFalse();
        assertThat(take("b", "b-1", NOW.plusSeconds(60), "x")).isTrue();
    }

    @Test
    void lookingTakesNothing() {
        assertThat(slots.wouldTake("a-1", () -> Set.of("x"), NOW)).isTrue();
        assertThat(take("b", "b-1", NOW, "x")).as("it is still free").isTrue();
        assertThat(slots.wouldTake("b-1", () -> Set.of("x"), NOW)).as("has one").isTrue();
        assertThat(slots.wouldTake("a-1", () -> Set.of("x"), NOW)).isFalse();
        assertThat(slots.wouldTake("a-1", () -> Set.of("x"), NOW.plusSeconds(60)))
                .as("b-1 was never made")
                .isTrue();
        assertThat(slots.released()).as("nobody waits").isEmpty();
    }

    @Test
    void knowsWhoWaitsOnceAndInOrder() {
        take("z", "z-1", NOW, "x", "y");
        take("a", "a-1", NOW, "x", "y");
        take("z", "z-2", NOW, "x", "y");
        assertThat(slots.released()).containsExactly("z", "a");
        assertThat(slots.released()).isEmpty();
    }
}
