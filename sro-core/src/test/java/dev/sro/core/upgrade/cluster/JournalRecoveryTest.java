package dev.sro.core.upgrade.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.resource.UpgradeStatus;
import dev.sro.core.upgrade.machine.Journal;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JournalRecoveryTest {

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
        nothing was good yet           |                 | -  | d1 | d1 | -  |      |
        all is well                    |                 | d1 | d1 | d1 | -  | d1   |
        a new one is on its way        |                 | d1 | d2 | d2 | -  | d1   |
        one was rolled back            |                 | d1 | d2 | d1 | -  | d1   | d2
        by the user, who still says so |                 | d1 | d2 | d1 | d2 | d1   |
        the journal knows better       | good=d3         | d1 | d2 | d1 | -  | d3   |
        it knows what was rejected     | rejected=d4     | d1 | d1 | d1 | -  | d1   | d4
        """)
    void theStatusKnowsWhatWasGoodAndWhatWasNot(
            String what,
            @Nullable String rollout,
            @Nullable String lastGood,
            String wanted,
            String target,
            @Nullable String rollbackOf,
            @Nullable String good,
            @Nullable String rejected) {
        UpgradeStatus status = new UpgradeStatus();
        status.setLastGood(lastGood);
        status.setWanted(wanted);
        status.setTarget(target);
        Journal journal = Journal.parse(Map.of(Journal.ROLLOUT, rollout == null ? "" : rollout))
                .journal();

        Journal restored = JournalRecovery.restore(journal, status, Optional.ofNullable(rollbackOf));

        assertThat(restored.good()).as(what).isEqualTo(good == null ? "" : good);
        assertThat(restored.rejected()).as(what).isEqualTo(rejected == null ? "" : rejected);
    }

    @Test
    void withoutAStatusItIsAsItIs() {
        assertThat(JournalRecovery.restore(Journal.EMPTY, null, Optional.empty()))
                .isSameAs(Journal.EMPTY);
    }
}
