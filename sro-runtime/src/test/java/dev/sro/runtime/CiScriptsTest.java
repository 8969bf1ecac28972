package dev.sro.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A script that ends with the first failure of a pipe must not write into one whose reader may leave early: the writer is ended by that,
 * now and then, and with it the script. Once a whole CI run was lost to its last line.
 */
class CiScriptsTest {

    private static final Path SCRIPTS = Path.of("..", ".ci");

    /** Scripts for the machines under QEMU, which do not ask for that. */
    private static final Path GUEST = SCRIPTS.resolve("real-node").resolve("guest");

    private static final Pattern LEAVES_EARLY = Pattern.compile("(?<!\\|)\\|\\s*(head\\b|grep\\s+-\\w*q)");

    @Test
    void nobodyLeavesAPipeEarly() throws IOException {
        List<String> found = new ArrayList<>();
        try (Stream<Path> files = Files.walk(SCRIPTS)) {
            for (Path file : files.filter(CiScriptsTest::isScript).sorted().toList()) {
                List<String> lines = Files.readString(file).lines().toList();
                for (int i = 0; i < lines.size(); i++) {
                    if (LEAVES_EARLY.matcher(lines.get(i)).find()) {
                        found.add(file + ":" + (i + 1) + ": " + lines.get(i).strip());
                    }
                }
            }
        }
        assertThat(found).isEmpty();
    }

    @Test
    void itWouldBeSeen() {
        assertThat(LEAVES_EARLY.matcher("sort -k4 <<< x | head -8 | awk y").find())
                .isTrue();
        assertThat(LEAVES_EARLY.matcher("tail x | grep -q y").find()).isTrue();
        assertThat(LEAVES_EARLY.matcher("[ -f x ] || grep -q y z").find()).isFalse();
    }

    private static boolean isScript(Path file) {
        String name = String.valueOf(file.getFileName());
        return Files.isRegularFile(file) && !file.startsWith(GUEST) && (name.endsWith(".sh") || !name.contains("."));
    }
}
