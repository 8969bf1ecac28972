package dev.sro.runtime.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.runtime.operator.MetricSample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * Pages that are written from the code: after a change that is meant, {@code ./mvnw -pl sro-runtime/demo -am test
 * -Dtest=ReferencePagesTest -Dsurefire.failIfNoSpecifiedTests=false -Dsro.reference.write=true} writes them again.
 */
class ReferencePagesTest {
    private static final Path REFERENCE = DocsTest.path("docs/reference");
    private static final boolean WRITE = Boolean.getBoolean("sro.reference.write");

    private static void check(String page, Supplier<String> text) throws IOException {
        Path file = REFERENCE.resolve(page);
        if (WRITE) {
            Files.writeString(file, text.get());
        }
        assertThat(Files.readString(file)).as(page).isEqualToNormalizingNewlines(text.get());
    }

    @Test
    void commandsAreThoseOfTheCommandLine() throws IOException {
        check("commands.md", CommandPage::write);
    }

    @Test
    void fieldsAreThoseOfTheDefinitions() throws IOException {
        check("fields.md", FieldPage::write);
    }

    @Test
    void metricsAreThoseOfOperatorAndAgent() throws IOException {
        check("metrics.md", MetricsPage::write);
    }

    @Test
    void codesAreThoseThatAreExplained() throws IOException {
        check("codes.md", CodePage::write);
    }

    /** The table for administrators says more of each, and has to have all. */
    @Test
    void theTableForAdministratorsHasEachMetricWithItsLabels() {
        Map<String, Set<String>> documented = new TreeMap<>();
        MetricSample.documented().forEach((name, labels) -> documented.put(name, new TreeSet<>(labels)));
        Map<String, Set<String>> measured = new TreeMap<>();
        MetricsPage.ofTheOperator().stream()
                .filter(metric -> !metric.name().endsWith("_seconds_max"))
                .forEach(metric -> measured.put(metric.name(), new TreeSet<>(metric.labels())));
        assertThat(measured).hasSizeGreaterThan(15).isEqualTo(documented);
    }
}
