package dev.sro.runtime.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.runtime.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the commands of the {@code sro slices} documentation and compares what they print with what the page says. In a {@code console} block a
 * line with {@code $} is a command, what follows is its output, a line {@code ...} stands for lines that are left out, and a last line
 * {@code (exit code 1)} for an exit code that is not 0. With {@code -Dsro.docs.update=true} pages that differ are rewritten. Files are those in {@code docs/slicing/samples}; what a command writes with
 * {@code >} the next ones find.
 */
class DocsConsoleTest {
    private static final Path SAMPLES = DocsTest.path("docs/slicing/samples");
    private static final Path PICTURES = DocsTest.path("docs/slicing/pictures");

    @TempDir
    private Path written;

    private record Example(String page, String command, String output) {}

    private static List<Example> examples() throws IOException {
        List<Example> examples = new ArrayList<>();
        for (String page : DocsTest.pages().toList()) {
            for (MatchResult block : DocsTest.blocks("console", DocsTest.read(page))) {
                for (String part : block.group(1).split("(?m)^\\$ ", -1)) {
                    if (!part.isBlank()) {
                        String[] lines = part.split("\n", 2);
                        examples.add(new Example(page, lines[0], lines[1]));
                    }
                }
            }
        }
        return examples;
    }

    @TestFactory
    Stream<DynamicTest> commandsPrintWhatThePagesSay() throws IOException {
        List<Example> examples = examples();
        assertThat(examples).hasSizeGreaterThan(10);
        return examples.stream().map(example -> DynamicTest.dynamicTest(example.command(), () -> run(example)));
    }

    private void run(Example example) throws IOException {
        String[] redirected = example.command().split(" > ", 2);
        String[] words = redirected[0].split(" ", -1);
        assertThat(words).startsWith("./sro", "slices");
        Cli cli = Cli.run(Arrays.stream(words).skip(1).map(this::file).toArray(String[]::new));
        String printed = cli.out();
        if (redirected.length == 2) {
            Files.writeString(written.resolve(redirected[1]), printed);
            printed = "";
        }
        String all = (printed + cli.err())
                        .replace(SAMPLES + "/", "")
                        .replace(written + "/", "")
                        .lines()
                        .map(String::stripTrailing)
                        .collect(Collectors.joining("\n", "", "\n"))
                + (cli.code() == 0 ? "" : "(exit code " + cli.code() + ")\n");
        if (Pattern.compile(pattern(example.output())).matcher(all).matches()) {
            return;
        }
        if (Boolean.getBoolean("sro.docs.update")) {
            String command = "$ " + example.command() + "\n";
            Path page = DocsTest.path(example.page());
            Files.writeString(page, Files.readString(page).replace(command + example.output(), command + all));
        }
        assertThat(all).as(example.page()).isEqualTo(example.output());
    }

    private String file(String word) {
        Path made = written.resolve(word);
        Path sample = SAMPLES.resolve(word);
        return word.isEmpty()
                ? word
                : Files.exists(made) ? "" + made : Files.isRegularFile(sample) ? "" + sample : word;
    }

    private static String pattern(String output) {
        return output.strip().isEmpty()
                ? "\\s*"
                : output.lines()
                        .map(line -> line.equals("...") ? "(?:.*\n)+" : Pattern.quote(line) + "\n")
                        .collect(Collectors.joining());
    }

    @Test
    void picturesAreThoseThatTheCommandsDraw() throws IOException {
        Map<String, String[]> commands = new TreeMap<>(Map.of(
                "fleet.svg", new String[] {"slices", "show", "fleet.yaml", "--format", "svg"},
                "packed.svg",
                        new String[] {
                            "slices", "pack", "--model", "A100-40GB", "--want", "3g.20gb=5,1g.5gb=9", "--format", "svg"
                        }));
        for (Map.Entry<String, String[]> command : commands.entrySet()) {
            Cli cli = Cli.run(Arrays.stream(command.getValue()).map(this::file).toArray(String[]::new));
            if (Boolean.getBoolean("sro.docs.update")) {
                Files.writeString(PICTURES.resolve(command.getKey()), cli.out());
            }
            assertThat(cli.out()).as(command.getKey()).isEqualTo(Files.readString(PICTURES.resolve(command.getKey())));
        }
        try (Stream<Path> files = Files.list(PICTURES)) {
            assertThat(files.map(file -> String.valueOf(file.getFileName())).sorted())
                    .containsExactlyElementsOf(commands.keySet());
        }
    }

    @Test
    void everySampleIsUsedOnAPage() throws IOException {
        String commands = examples().stream().map(Example::command).collect(Collectors.joining("\n"));
        try (Stream<Path> files = Files.list(SAMPLES)) {
            assertThat(files.map(file -> String.valueOf(file.getFileName())))
                    .allSatisfy(name -> assertThat(commands).contains(name));
        }
    }
}
