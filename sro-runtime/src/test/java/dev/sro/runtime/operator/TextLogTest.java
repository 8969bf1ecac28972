package dev.sro.runtime.operator;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class TextLogTest {
    private final PrintStream before = System.err;

    @AfterEach
    void giveBack() {
        System.setErr(before);
        HttpCluster.giveLogBack();
    }

    @Test
    void noMessageBeginsALineOfItsOwnOrGivesOrders() {
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
        Logs.configure(Logs.Form.TEXT, Level.WARN);
        LoggerFactory.getLogger("dev.sro.Test").warn("said {}", "no\r\n2026-01-01 INFO all is well\u001b[2J\u009b2J");
        assertThat(written.toString(StandardCharsets.UTF_8))
                .endsWith("Test: said no | 2026-01-01 INFO all is well?[2J?2J " + System.lineSeparator())
                .hasLineCount(1);
    }
}
