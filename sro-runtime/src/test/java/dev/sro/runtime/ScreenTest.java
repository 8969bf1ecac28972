package dev.sro.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ScreenTest {

    private static final Pattern FILE = Pattern.compile("all of it is in (\\S+)$");

    private final Screen screen = new Screen();

    private static Path file(String cut) {
        Matcher matcher = FILE.matcher(cut);
        assertThat(matcher.find()).as(cut).isTrue();
        return Path.of(matcher.group(1));
    }

    @Test
    void whatFitsStaysAsItIs() {
        assertThat(screen.cut("a\nb")).isEqualTo("a\nb");
        assertThat(screen.cut("a\n".repeat(Screen.LINES))).doesNotContain("cut here");
    }

    @Test
    void manyLinesAndLongOnesAreCutAndTheRestIsInOneFile() throws IOException {
        String many = "line\n".repeat(500) + "the end of many";
        String cut = screen.cut(many);
        assertThat(cut.lines().count()).isEqualTo(Screen.LINES + 1);
        assertThat(cut).doesNotContain("the end");

        String one = screen.cut("x".repeat(100_000) + "the end of one");
        assertThat(one.length()).isLessThan(2_200);
        assertThat(file(one)).isEqualTo(file(cut));
        assertThat(Files.readString(file(one))).contains("the end of many", "the end of one");
        Files.delete(file(one));
    }
}
