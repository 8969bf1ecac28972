package dev.sro.core.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Whatever is quoted, a real shell takes for one word that is just that. */
class ShellWordsTest {

    private static final String NASTY = "'\"\\$`!*?[]{}()<>|&;#~ \t\n=%-aé漢\u007f\r";

    @Test
    void whatIsQuotedComesOutAsItWentIn() throws IOException, InterruptedException {
        Random random = new Random(1);
        List<String> words = new ArrayList<>(List.of("", "'", "''", "'\\''", "$(exit 9)", "`id`", "-n", "a\nb", "\\"));
        for (int i = 0; i < 2000; i++) {
            StringBuilder word = new StringBuilder();
            for (int length = random.nextInt(12); length > 0; length--) {
                word.append(
                        random.nextInt(4) == 0
                                ? (char) (1 + random.nextInt(126))
                                : NASTY.charAt(random.nextInt(NASTY.length())));
            }
            words.add(word.toString());
        }
        String script = "printf '%s\\0' " + ShellWords.quote(words);
        Process shell = new ProcessBuilder("/bin/sh").start();
        shell.getOutputStream().write(script.getBytes(StandardCharsets.UTF_8));
        shell.getOutputStream().close();
        String out = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(shell.waitFor()).isZero();
        assertThat(out.split("\0", -1)).containsExactly(withEnd(words));
    }

    private static String[] withEnd(List<String> words) {
        List<String> all = new ArrayList<>(words);
        all.add("");
        return all.toArray(String[]::new);
    }

    @Test
    void refusesWhatNoArgumentCanContain() {
        assertThatThrownBy(() -> ShellWords.quote("a\0b")).hasMessageContaining("NUL");
    }
}
