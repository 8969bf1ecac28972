package dev.sro.runtime.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.runtime.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Each line of each block is accounted for. Those in {@code console} blocks are run, by {@link DocsConsoleTest}, those that need
 * a cluster by {@link ClusterLinesTest}. Other command lines of {@code sro} are parsed here: there is such a command, with these options
 * and this number of arguments. Everything else, and each block
 * of {@code text}, is in the list {@code not-run.txt} with the reason why nothing runs it; a line that is none of these fails.
 */
class DocsCommandLinesTest {

    private static final String LIST = "not-run.txt";
    private static final int FEWEST = 40;

    /** Files of the repository, but for those that a build makes. */
    private static final Pattern PATH = Pattern.compile("(?<=^| )((?:sro-\\w+|\\.ci)/(?!target/)[\\w./-]+)");

    private static final Pattern CLASS = Pattern.compile(
            "\\b(?:dev\\.sro\\.\\w+\\.|-Dtest=)?([A-Z]\\w+(?:Benchmark|Test|Main))\\b|dev\\.sro\\.benchmarks\\.(\\w+)");

    private static void parse(List<String> arguments) {
        Cli.parse(arguments.toArray(String[]::new));
    }

    @TestFactory
    Stream<DynamicTest> theCommandLineTakesThem() throws IOException {
        Map<String, String> lines = PageBlocks.commands();
        lines.keySet().removeIf(line -> PageBlocks.arguments(line).isEmpty());
        assertThat(lines).hasSizeGreaterThan(FEWEST);
        return lines.entrySet().stream()
                .map(line -> DynamicTest.dynamicTest(
                        line.getValue() + ": " + line.getKey(), () -> parse(PageBlocks.arguments(line.getKey()))));
    }

    @Test
    void whatNobodyRunsIsListedWithItsReason() throws IOException {
        ReasonList list = ReasonList.read(LIST);
        TreeSet<String> open = new TreeSet<>();
        int parsed = 0;
        for (Map.Entry<String, String> line : PageBlocks.commands().entrySet()) {
            if (PageBlocks.arguments(line.getKey()).isEmpty()) {
                open.add(line.getKey());
            } else {
                parsed++;
            }
        }
        int lines = 0;
        for (ClusterScript script : ClusterScript.all()) {
            for (String line : script.lines()) {
                open.removeAll(PageBlocks.parts(line));
                lines++;
            }
        }
        for (PageBlocks.Block block : PageBlocks.all()) {
            if (block.language().equals("text")) {
                open.add(block.text().lines().findFirst().orElse("").strip().replaceAll("\\s+", " "));
            }
        }
        System.out.println(
                "lines of the documentation: " + DocsConsoleTest.examples().size() + " commands run, "
                        + parsed + " parsed, " + lines + " lines run on a real API server, of the others "
                        + list.byReason().entrySet().stream()
                                .map(reason -> reason.getValue().size() + " not: " + reason.getKey())
                                .collect(Collectors.joining("; ")));
        list.holds(open);
    }

    @Test
    void whatIsRunOnAClusterStandsOnAPage() throws IOException {
        Set<String> lines = PageBlocks.lines().keySet();
        for (ClusterScript script : ClusterScript.all()) {
            assertThat(lines).as(script.name()).containsAll(script.lines());
        }
    }

    /** What is not run can at least not name what is not there: files, classes and tests. */
    @Test
    void whatTheyNameIsThere() throws IOException {
        Set<String> classes = new TreeSet<>();
        try (Stream<Path> files = Files.walk(DocsTest.path(""))) {
            files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> name.endsWith(".java"))
                    .forEach(name -> classes.add(name.substring(0, name.length() - ".java".length())));
        }
        for (String reason : ReasonList.read(LIST).byReason().keySet()) {
            for (MatchResult named : CLASS.matcher(reason).results().toList()) {
                assertThat(classes).as(reason).contains(named.group(1));
            }
        }
        for (String command : PageBlocks.commands().keySet()) {
            for (MatchResult path : PATH.matcher(command).results().toList()) {
                assertThat(DocsTest.path(path.group(1))).as(command).exists();
            }
            for (MatchResult named : CLASS.matcher(command).results().toList()) {
                assertThat(classes).as(command).contains(named.group(1) == null ? named.group(2) : named.group(1));
            }
        }
    }

    /** A language that nobody knows would be read by nobody. */
    @Test
    void eachBlockIsOfALanguageThatIsLookedAt() throws IOException {
        assertThat(PageBlocks.all())
                .extracting(PageBlocks.Block::language)
                .isSubsetOf("", "sh", "console", "text", "java", "xml", "yaml", "dockerfile", "properties", "mermaid");
    }

    @Test
    void anOptionThatIsNotThereWouldBeSeen() {
        assertThatThrownBy(() -> parse(PageBlocks.arguments("./sro plan --node nodes.yaml")))
                .hasMessageContaining("--node");
        assertThatThrownBy(() -> parse(List.of("dance"))).hasMessageContaining("dance");
        assertThat(PageBlocks.arguments("kubectl get sr")).isEmpty();
        assertThat(PageBlocks.words("rbac -o yaml --for 'a b' > file"))
                .containsExactly("rbac", "-o", "yaml", "--for", "a b");
    }
}
