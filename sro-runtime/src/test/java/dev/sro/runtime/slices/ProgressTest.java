package dev.sro.runtime.slices;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ProgressTest {
    @AfterEach
    void noTerminal() {
        System.clearProperty(Progress.TERMINAL);
    }

    @Test
    void drawsOverItselfAndGoesAway() {
        System.setProperty(Progress.TERMINAL, "true");
        assertThat(drawn())
                .isEqualTo("\r[               " + "               ] 0% a\u001b[K"
                        + "\r[===============               ] 50% b\u001b[K\r[==============================] 100% c\u001b[K"
                        + "\r\u001b[K");
    }

    @Test
    void isNotThereWithoutATerminal() {
        assertThat(drawn()).isEmpty();
    }

    private static String drawn() {
        StringWriter text = new StringWriter();
        try (Progress progress = Progress.of(new PrintWriter(text), 2)) {
            progress.draw("a");
            progress.step("b");
            progress.step("c");
        }
        return text.toString();
    }
}
