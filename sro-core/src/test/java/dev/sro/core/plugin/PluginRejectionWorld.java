package dev.sro.core.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.provider.Arguments;

/** A directory with plugins, a good one among them. */
abstract class PluginRejectionWorld {
    @TempDir
    Path root;

    Hosts hosts;

    @BeforeEach
    void aGoodNeighbour() throws IOException {
        hosts = new Hosts(root);
        PluginBuilder.named("good").jar(hosts.plugins());
    }

    PluginRejection onlyRejection() {
        try (PluginHost host = hosts.open()) {
            assertThat(host.names()).containsExactly("good");
            return Hosts.onlyRejection(host);
        }
    }

    static Stream<Arguments> invalidDescriptors() {
        return Stream.of(
                Arguments.of("Plugin-Version", "one", "semantic version"),
                Arguments.of("Plugin-Version", "1.0", "semantic version"),
                Arguments.of("Plugin-Version", "", "semantic version"),
                Arguments.of("Plugin-Requires", "at least two", "version range"),
                Arguments.of("Plugin-Dependencies", "other@new", "version range"));
    }

    static Stream<Arguments> invalidProviders() {
        return Stream.of(
                Arguments.of("public class Main { }", "does not implement"),
                Arguments.of("public abstract class Main implements dev.sro.api.AcceleratorPlugin { }", "constructor"),
                Arguments.of(
                        "public abstract class Main implements dev.sro.api.AcceleratorPlugin"
                                + " { public Main(int x) { } }",
                        "constructor"));
    }

    static Stream<Arguments> throwingMembers() {
        return Stream.of(
                Arguments.of("public Main() { throw new IllegalStateException(\"boom\"); }", "constructor"),
                Arguments.of("{ if (true) { throw new StackOverflowError(\"boom\"); } }", "constructor"),
                Arguments.of("public Main() throws Exception { throw new Exception(\"boom\"); }", "constructor"));
    }

    static Stream<Arguments> badDescriptorMethods() {
        return Stream.of(Arguments.of("null == null ? fail() : \"\"", "boom"), Arguments.of("\"1\"", "DNS label"));
    }

    static Stream<String> escapes() {
        return Stream.of("../evil.txt", "a/../../evil.txt", "/evil.txt", "a\\..\\evil.txt", "C:/evil.txt");
    }

    void list(String digest, String file) throws IOException {
        Files.writeString(hosts.plugins().resolve("PLUGINS.sha256"), digest + "  " + file + "\n");
    }
}
