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
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the commands of the documentation that need no cluster and compares what they print with what the page says. In a {@code console}
 * block a line with {@code $} is a command, what follows is its output, a line {@code ...} stands for lines that are left out, and a last
 * line {@code (exit code 1)} for an exit code that is not 0. With {@code -Dsro.docs.update=true} pages that differ are rewritten. Files
 * are those in {@code docs/slicing/samples}, {@code docs/samples} and the samples of the release; what a command writes with {@code >} the
 * next ones of the page find. The plugins are those that come with SRO, and {@code my-plugins} has simple-kmod alone.
 */
class DocsConsoleTest {
    private static final Path SAMPLES = DocsTest.path("docs/slicing/samples");
    private static final Path PICTURES = DocsTest.path("docs/slicing/pictures");
    private static final Path RELEASED = DocsTest.path("sro-runtime/release/src/samples");
    private static final List<Path> FOLDERS = List.of(SAMPLES, DocsTest.path("docs/samples"), RELEASED);
    private static final String HOME = "sro.home";
    private static final String PLUGINS = "my-plugins";

    @TempDir
    private static Path home;

    @TempDir
    private Path written;

    record Example(String page, String command, String output) {}

    @BeforeAll
    static void installPlugins() throws IOException {
        plugin(Files.createDirectory(home.resolve(PLUGINS)), "simplekmod", "simple-kmod");
        Path shipped = Files.createDirectory(home.resolve("plugins"));
        plugin(shipped, "simplekmod", "simple-kmod");
        plugin(shipped, "nvidia", "nvidia-gpu");
        plugin(shipped, "solarflare", "solarflare-onload");
        System.setProperty(HOME, home.toString());
    }

    /** Named as in the archive, as plans say which jar a plugin is from. */
    private static void plugin(Path folder, String module, String id) throws IOException {
        Cli.plugin(folder, "sro-plugins-" + module, id);
        Files.move(folder.resolve(id + ".jar"), folder.resolve("sro-plugins-" + module + "-0.1.0-SNAPSHOT.jar"));
    }

    @AfterAll
    static void forgetPlugins() {
        System.clearProperty(HOME);
    }

    static List<Example> examples() throws IOException {
        List<Example> examples = new ArrayList<>();
        for (PageBlocks.Block block : PageBlocks.all()) {
            if (!block.language().equals("console")) {
                continue;
            }
            assertThat(block.text()).as(block.page()).startsWith("$ ");
            for (String part : block.text().split("(?m)^\\$ ", -1)) {
                if (!part.isBlank()) {
                    String[] lines = part.split("\n", 2);
                    examples.add(new Example(block.page(), lines[0], lines[1]));
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
        Path folder = Files.createDirectories(written.resolve(example.page().replace('/', '-')));
        String[] redirected = example.command().split(" > ", 2);
        List<String> words = PageBlocks.arguments(redirected[0]);
        assertThat(words)
                .as("%s: only commands of SRO's are run", example.command())
                .isNotEmpty();
        Cli cli = Cli.run(words.stream().map(word -> file(folder, word)).toArray(String[]::new));
        String printed = cli.out();
        if (redirected.length == 2) {
            Files.writeString(folder.resolve(redirected[1]), printed);
            printed = "";
        }
        String all = shown(folder, printed + cli.err())
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

    /** What is printed with the names of files as the page has them. */
    private static String shown(Path folder, String printed) {
        String shown = printed.replace(folder + "/", "").replace(home + "/", "");
        for (Path samples : FOLDERS) {
            shown = shown.replace(samples + "/", "");
        }
        return shown;
    }

    private static String file(Path folder, String word) {
        if (word.isEmpty() || word.startsWith("-")) {
            return word;
        }
        if (word.equals(PLUGINS)) {
            return home.resolve(word).toString();
        }
        if (word.equals("out")) {
            return folder.resolve(word).toString();
        }
        return Stream.concat(Stream.of(folder), FOLDERS.stream())
                .map(samples -> samples.resolve(word.replaceFirst("^samples/", "")))
                .filter(Files::exists)
                .findFirst()
                .map(Path::toString)
                .orElse(word);
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
            Cli cli = Cli.run(Arrays.stream(command.getValue())
                    .map(word -> file(written, word))
                    .toArray(String[]::new));
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
        for (Path samples : FOLDERS) {
            try (Stream<Path> files = Files.list(samples)) {
                assertThat(files.map(file -> String.valueOf(file.getFileName())))
                        .allSatisfy(name -> assertThat(commands).contains(name));
            }
        }
    }
}
