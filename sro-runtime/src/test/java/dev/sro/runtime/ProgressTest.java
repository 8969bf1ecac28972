package dev.sro.runtime;

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

    @Test
    void isNotThereWhereTheAnswerIsForAProgram() {
        System.setProperty(Progress.TERMINAL, "true");
        StringWriter text = new StringWriter();
        try (Progress progress = Progress.saying(new PrintWriter(text), false, "a")) {
            progress.say("b");
        }
        assertThat(text.toString()).isEmpty();
    }

    @Test
    void workOfUnknownLengthSaysWhatItIsAndGoesAwayOnce() {
        System.setProperty(Progress.TERMINAL, "true");
        StringWriter text = new StringWriter();
        try (Progress progress = Progress.saying(new PrintWriter(text), true, "a")) {
            progress.say("b");
            progress.clear();
        }
        assertThat(text.toString()).isEqualTo("\ra ...\u001b[K\rb ...\u001b[K\r\u001b[K");
    }

    @Test
    void aPlanSaysWhatItWaitsForAndAPlanForAProgramDoesNot() {
        System.setProperty(Progress.TERMINAL, "true");

        assertThat(Cli.run("plan", "-f", "no-such-file.yaml", "--kernel", "6.1.0")
                        .err())
                .startsWith("\rasking plugins, rendering charts, looking up images ...\u001b[K\r\u001b[K");
        assertThat(Cli.run("plan", "-f", "no-such-file.yaml", "--kernel", "6.1.0", "-o", "json")
                        .err())
                .doesNotContain("\r");
    }

    private static String drawn() {
        StringWriter text = new StringWriter();
        try (Progress progress = Progress.of(new PrintWriter(text), 2, true)) {
            progress.draw("a");
            progress.step("b");
            progress.step("c");
        }
        return text.toString();
    }
}
