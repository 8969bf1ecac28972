package dev.sro.core.upgrade.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.core.upgrade.policy.NodeShare;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.ValueSource;

class SlotCountsTest {

    @ParameterizedTest(name = "{0}")
    @CsvFileSource(resources = "slots.csv", numLinesToSkip = 1)
    void slotsAreThoseOfThePublishedRule(
            String what,
            int maxParallel,
            String maxUnavailable,
            int nodes,
            int required,
            int inProgress,
            int unavailable,
            int available) {
        int most = NodeShare.parse("maxUnavailable", maxUnavailable).of(nodes);
        assertThat(SlotCounts.available(maxParallel, most, required, inProgress, unavailable))
                .as(what)
                .isEqualTo(available);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "%", "-1", "101%", "a few", "1.5", "12345678901"})
    void whatIsNoShareIsRefusedWithTheNameOfTheField(String text) {
        assertThatThrownBy(() -> NodeShare.parse("spec.upgradePolicy.maxUnavailable", text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("spec.upgradePolicy.maxUnavailable");
    }

    @Test
    void sharesAreRoundedUpWithoutOverflow() {
        assertThat(new NodeShare(100, true).of(Integer.MAX_VALUE / 2)).isEqualTo(Integer.MAX_VALUE / 2);
        assertThat(new NodeShare(33, true).of(10)).isEqualTo(4);
        assertThat(new NodeShare(0, true).of(10)).isZero();
        assertThat(new NodeShare(25, true).of(0)).isZero();
    }
}
