package dev.sro.core.upgrade.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyValueLineTest {

    /** What Java's own reader makes of it, which takes longer. */
    private static @Nullable Instant general(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeException e) {
            return null;
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-11-22T12:34:56Z",
                "2026-11-22T12:34:56.5Z",
                "2026-11-22t12:34:56z",
                "2024-02-29T00:00:00Z",
                "2026-02-29T00:00:00Z",
                "2026-13-01T00:00:00Z",
                "2026-00-01T00:00:00Z",
                "2026-01-01T24:00:00Z",
                "2026-01-01T24:00:01Z",
                "2026-01-01T23:60:00Z",
                "2016-12-31T23:59:60Z",
                "2016-12-31T23:58:60Z",
                "0000-01-01T00:00:00Z",
                "+2026-1-01T00:00:00Z",
                "2026-11-22T12:34:5\u0666Z",
                "2026-11-22 12:34:56Z",
                "12026-11-22T12:34:56Z",
                ""
            })
    void timesAreReadAsJavaReadsThem(String text) {
        assertThat(KeyValueLine.time(text)).isEqualTo(general(text));
    }

    @Test
    void anyTimeIsReadAsJavaReadsIt() {
        Random random = new Random(7);
        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder(
                    Instant.ofEpochSecond(random.nextLong(253_402_300_800L)).toString());
            if (random.nextBoolean()) {
                text.setCharAt(random.nextInt(text.length()), "0123456789-:TZ+ ".charAt(random.nextInt(16)));
            }
            assertThat(KeyValueLine.time(text.toString())).as(text.toString()).isEqualTo(general(text.toString()));
        }
    }

    @Test
    void wordsAreSeparatedByAnySpace() {
        assertThat(KeyValueLine.read("  a=1\tb=%20\n\r c d= =e f=g=h a=2 "))
                .containsEntry("a", "2")
                .containsEntry("b", " ")
                .containsEntry("d", "")
                .containsEntry("f", "g=h")
                .hasSize(4);
    }

    @Test
    void numbersHaveAtMostOneMillion() {
        assertThat(KeyValueLine.number(null)).isZero();
        assertThat(KeyValueLine.number("")).isEqualTo(-1);
        assertThat(KeyValueLine.number("000007")).isEqualTo(7);
        assertThat(KeyValueLine.number("1000000")).isEqualTo(1_000_000);
        assertThat(KeyValueLine.number("1000001")).isEqualTo(-1);
        assertThat(KeyValueLine.number("0000001")).isEqualTo(-1);
        assertThat(KeyValueLine.number("-1")).isEqualTo(-1);
        assertThat(KeyValueLine.number("\u0661")).isEqualTo(-1);
    }
}
