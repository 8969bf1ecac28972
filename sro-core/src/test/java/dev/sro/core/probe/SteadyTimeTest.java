package dev.sro.core.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SteadyTimeTest {

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
        never broke                          | 0  | Error     | 1   | 5    | 0
        ended by itself                      | 3  | Completed | 0   | 5    | 0
        without a reason, but well           | 3  |           | 0   | 5    | 0
        its node was started again           | 1  | Unknown   | 255 | 90   | 0
        its node was lost and came back      | 1  | ContainerStatusUnknown | 137 | 90 | 0
        broke at once                        | 1  | Error     | 1   | 0    | 10
        broke at once, for the second time   | 2  | Error     | 1   | 0    | 20
        for the fifth time                   | 5  | Error     | 1   | 0    | 160
        no longer than the kubelet waits     | 6  | Error     | 1   | 0    | 300
        however often                        | 99 | OOMKilled | 137 | 0    | 300
        has to outlive its last run          | 1  | Error     | 1   | 45   | 55
        the longer of the two                | 4  | Error     | 1   | 45   | 80
        not for ever                         | 1  | Error     | 1   | 299  | 300
        ran for long before                  | 99 | Error     | 1   | 600  | 10
        nothing is known of how it ran       | 2  | Error     | 1   | -1   | 20
        """)
    void isAsLongAsItWasBroken(String what, int restarts, String reason, int exitCode, long ran, long expected) {
        SteadyTime.Ended last = new SteadyTime.Ended(reason == null ? "" : reason, exitCode, Duration.ofSeconds(ran));
        assertThat(SteadyTime.compute(restarts, last)).as(what).isEqualTo(Duration.ofSeconds(expected));
    }

    @Test
    void theFirstPodThatMayBeSteadyWakesUpAndNoOther() {
        Instant now = Instant.ofEpochSecond(100);
        assertThat(SteadyTime.next(List.of(pod(0), pod(100), pod(130), pod(120)), now))
                .isEqualTo(Instant.ofEpochSecond(120));
        assertThat(SteadyTime.next(List.of(pod(0), pod(100)), now)).isEqualTo(Instant.MAX);
    }

    @Test
    void aPodThatBrokeIsBrokenUntilItsTimeAndReadyThen() {
        assertThat(pod(120).isReady(Instant.ofEpochSecond(119))).isFalse();
        assertThat(pod(120).isReady(Instant.ofEpochSecond(120))).isTrue();
        assertThat(PodOutcomes.judge(pod(120), "", Instant.ofEpochSecond(119)).isFailed())
                .isTrue();
        assertThat(PodOutcomes.judge(pod(120), "", Instant.ofEpochSecond(120)).isReady())
                .isTrue();
    }

    private static PodFacts pod(long steadyFrom) {
        return new PodFacts(
                "ns",
                "p",
                "u",
                "n",
                "Running",
                true,
                false,
                "",
                "",
                "container driver was started again 1 times",
                "uid",
                "",
                List.of(),
                0,
                "",
                "",
                Instant.EPOCH,
                Instant.ofEpochSecond(steadyFrom),
                Instant.EPOCH,
                Map.of());
    }
}
