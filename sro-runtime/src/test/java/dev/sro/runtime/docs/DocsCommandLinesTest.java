package dev.sro.runtime.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.runtime.Cli;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Every command line of {@code sro} in a block of a page is one that the command line takes: there is such a command, with these options
 * and this number of arguments. Those in {@code console} blocks are run as well, by {@link DocsConsoleTest}; the others need a cluster, files of the reader, or
 * do not end by themselves.
 */
class DocsCommandLinesTest {

    private static final Pattern BLOCK = Pattern.compile("(?ms)^```\\w*\\n(.*?)^```");
    private static final Pattern COMMAND = Pattern.compile("^(?:\\$ )?(?:\\S*/)?sro ((?!:).*)$");
    private static final Pattern WORD = Pattern.compile("(?:'[^']*'|\"[^\"]*\"|[^\\s'\"])+");
    private static final int FEWEST = 60;

    /** Command lines with the page that each is on first. */
    private static Map<String, String> lines() throws IOException {
        Map<String, String> lines = new LinkedHashMap<>();
        for (String page : DocsTest.pages().toList()) {
            for (MatchResult block :
                    BLOCK.matcher(DocsTest.read(page)).results().toList()) {
                for (String line : block.group(1).replace("\\\n", " ").split("\n", -1)) {
                    for (String part : line.split(" \\| | && ", -1)) {
                        Matcher command = COMMAND.matcher(part.strip());
                        if (command.matches()) {
                            lines.putIfAbsent(command.group(1), page);
                        }
                    }
                }
            }
        }
        return lines;
    }

    /** The words of a shell's line, up to what it writes into. */
    private static List<String> words(String line) {
        List<String> words = new ArrayList<>();
        for (MatchResult word : WORD.matcher(line).results().toList()) {
            String text = word.group();
            if (text.startsWith(">") || text.equals("2>") || text.equals("#")) {
                break;
            }
            words.add(text.replaceAll("['\"]", ""));
        }
        return words;
    }

    private static void parse(String line) {
        Cli.parse(words(line).toArray(String[]::new));
    }

    @TestFactory
    Stream<DynamicTest> theCommandLineTakesThem() throws IOException {
        Map<String, String> lines = lines();
        assertThat(lines).hasSizeGreaterThan(FEWEST);
        return lines.entrySet().stream()
                .map(line -> DynamicTest.dynamicTest(
                        line.getValue() + ": sro " + line.getKey(), () -> parse(line.getKey())));
    }

    @Test
    void anOptionThatIsNotThereWouldBeSeen() {
        assertThatThrownBy(() -> parse("plan --node nodes.yaml")).hasMessageContaining("--node");
        assertThatThrownBy(() -> parse("dance")).hasMessageContaining("dance");
        assertThat(words("rbac -o yaml --for 'a b' > file")).containsExactly("rbac", "-o", "yaml", "--for", "a b");
    }
}
