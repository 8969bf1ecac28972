package dev.sro.runtime.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.runtime.Cli;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The command lines of pages that {@link DocsCommandLinesTest} cannot read, as its command line has only the names of these commands. */
class DemoLinesTest {
    private static final Set<String> COMMANDS = Set.of("demo", "dev", "install-artifacts", "new");
    private static final int FEWEST = 12;

    @TestFactory
    Stream<DynamicTest> theCommandLineTakesThem() throws IOException {
        Map<String, String> lines = PageBlocks.commands();
        lines.keySet()
                .removeIf(line -> PageBlocks.arguments(line).stream().limit(1).noneMatch(COMMANDS::contains));
        assertThat(lines).hasSizeGreaterThanOrEqualTo(FEWEST);
        return lines.entrySet().stream()
                .map(line -> DynamicTest.dynamicTest(
                        line.getValue() + ": " + line.getKey(),
                        () -> Cli.parse(PageBlocks.arguments(line.getKey()).toArray(String[]::new))));
    }

    @Test
    void anOptionThatIsNotThereWouldBeSeen() {
        assertThatThrownBy(() -> Cli.parse("dev", "-f", "a.yaml", "--node", "b.yaml"))
                .hasMessageContaining("--node");
        assertThatThrownBy(() -> Cli.parse("demo", "--slow")).hasMessageContaining("--slow");
    }
}
