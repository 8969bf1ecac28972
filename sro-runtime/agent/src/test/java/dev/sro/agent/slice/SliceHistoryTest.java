package dev.sro.agent.slice;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** No slice twice, none lost: random histories. {@code -Dsro.agent.histories=100000} plays more, {@code -Dsro.agent.seed} one. */
class SliceHistoryTest {
    private static final int STEPS = 40;

    @Test
    void noSliceIsGivenTwiceAndNoneIsLost() {
        Long one = Long.getLong("sro.agent.seed");
        if (one != null) {
            new History(one).run(STEPS);
            return;
        }
        int histories = Integer.getInteger("sro.agent.histories", 2_000);
        long effects = 0;
        long kills = 0;
        long losses = 0;
        long foreign = 0;
        long prepared = 0;
        long refused = 0;
        long wholes = 0;
        long switches = 0;
        for (long seed = 0; seed < histories; seed++) {
            History history = new History(seed);
            try {
                history.run(STEPS);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed, e);
            }
            effects += history.effects();
            kills += history.kills;
            losses += history.powerLosses;
            foreign += history.foreign;
            prepared += history.prepared;
            refused += history.refused;
            wholes += history.wholes;
            switches += history.switches;
        }
        System.out.printf(
                "%d histories: %d effects, %d kills, %d power losses, %d foreign instances, %d prepared, %d refused, %d whole GPUs, %d modes%n",
                histories, effects, kills, losses, foreign, prepared, refused, wholes, switches);
        assertThat(wholes).isGreaterThan(histories / 10);
        assertThat(switches).isGreaterThan(histories / 100);
        assertThat(kills).as("histories that kill nothing prove nothing").isGreaterThan(histories);
        assertThat(prepared).isGreaterThan(histories);
        assertThat(foreign).isGreaterThan(histories);
    }
}
