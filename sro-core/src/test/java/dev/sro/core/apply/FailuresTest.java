package dev.sro.core.apply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.model.ObjectRef;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FailuresTest {
    private static final ObjectRef POD = new ObjectRef("v1", "Pod", "users", "trainer");
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    /** A budget has room again as soon as another pod is ready; a server that is ill is left alone for longer and longer. */
    @ParameterizedTest
    @CsvSource({"BLOCKED, '1, 2, 4, 8, 8, 8, 8, 8'", "UNAVAILABLE, '1, 2, 4, 8, 16, 32, 60, 60'"})
    void whatABudgetBlocksIsAskedForOften(WriteException.Kind kind, String seconds) {
        Failures failures = new Failures();

        List<Long> waited = IntStream.range(0, 8)
                .mapToObj(attempt -> {
                    failures.failed(POD, new WriteException(kind, "no"), NOW);
                    return Duration.between(
                                    NOW,
                                    Objects.requireNonNull(failures.current().get(POD))
                                            .retryAt())
                            .toSeconds();
                })
                .toList();

        assertThat(waited).hasToString("[" + seconds + "]");
    }
}
