package dev.sro.core.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/** A plugin directory and a work directory in one temporary directory, and hosts on them. */
final class Hosts {

    /** Long enough for a slow machine; no test waits for it. */
    private static final Duration DEADLINE = Duration.ofMinutes(1);

    private final Path root;

    Hosts(Path root) throws IOException {
        this.root = root;
        Files.createDirectories(plugins());
    }

    Path plugins() {
        return root.resolve("plugins");
    }

    Path work() {
        return root.resolve("work");
    }

    /** A file that plugins write lines to. */
    Path log() {
        return root.resolve("log");
    }

    List<String> logged() {
        try {
            return Files.exists(log()) ? Files.readAllLines(log()) : List.of();
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /** A Java statement that appends a line to {@link #log()}. */
    String logStatement(String line) {
        return """
                try {
                    java.nio.file.Files.writeString(java.nio.file.Path.of("%s"), "%s\\n",
                            java.nio.file.StandardOpenOption.CREATE, java.nio.file.StandardOpenOption.APPEND);
                } catch (java.io.IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
                """.formatted(log().toString().replace("\\", "\\\\"), line);
    }

    PluginHost open() {
        return open(config -> config);
    }

    PluginHost open(UnaryOperator<PluginHostConfig.Builder> more) {
        PluginHostConfig.Builder config = PluginHostConfig.builder();
        config.directory(plugins());
        config.workDirectory(work());
        config.sroVersion("1.4.0");
        config.callDeadline(DEADLINE);
        return PluginHost.open(more.apply(config).build());
    }

    /** The one rejection, after checking what every rejection has to say. */
    static PluginRejection onlyRejection(PluginHost host) {
        assertThat(host.rejections()).hasSize(1);
        return checked(host.rejections().get(0));
    }

    static PluginRejection rejectionOf(PluginHost host, String file) {
        List<PluginRejection> found = host.rejections().stream()
                .filter(rejection -> rejection.file().equals(file))
                .toList();
        assertThat(found).as("rejections of %s in %s", file, host.rejections()).hasSize(1);
        return checked(found.get(0));
    }

    private static PluginRejection checked(PluginRejection rejection) {
        assertThat(rejection.message()).contains(rejection.file()).contains("Fix: ");
        assertThat(rejection.code()).matches("[A-Z][A-Za-z0-9]+");
        return rejection;
    }
}
