package dev.sro.runtime.operator;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class LogsTest {
    @TempDir
    private Path folder;

    private final Logs logs = Logs.configure(Logs.Form.JSON, Level.ERROR);

    private static Level level(String name) {
        return ((Logger) LoggerFactory.getLogger(name)).getEffectiveLevel();
    }

    @AfterEach
    void giveLogBack() {
        HttpCluster.giveLogBack();
    }

    @Test
    void takesLevelsFromAFileWhileItRuns() throws IOException {
        Path file = folder.resolve("levels");
        logs.read(file);
        assertThat(level("dev.sro.core")).isEqualTo(Level.ERROR);

        Files.writeString(file, "off # of SRO\n\ndev.sro.core.apply = trace\nwhatever\nio.fabric8=error\n");
        logs.read(file);
        assertThat(level("dev.sro.core")).isEqualTo(Level.OFF);
        assertThat(level("dev.sro.core.apply")).isEqualTo(Level.TRACE);
        assertThat(level("io.fabric8.x")).isEqualTo(Level.ERROR);

        Files.delete(file);
        logs.read(file);
        assertThat(level("dev.sro.core.apply")).isEqualTo(Level.ERROR);
        assertThat(level("io.fabric8.x")).isEqualTo(Level.WARN);
    }
}
