package dev.sro.core.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Files in the directory of plugins that are not taken because of where they come from or lead to. */
class PluginFileRejectionTest extends PluginRejectionWorld {

    @Test
    void linkThatLeadsNowhere() throws IOException {
        Files.createSymbolicLink(hosts.plugins().resolve("dangling.jar"), root.resolve("nothing"));

        assertThat(onlyRejection().code()).isEqualTo(PluginRejectionCodes.FILE_UNREADABLE);
    }

    @ParameterizedTest
    @MethodSource("escapes")
    void entryThatPointsOutside(String name) throws IOException {
        Path jar = PluginBuilder.named("slip").entry(name, "evil").jar(hosts.plugins());
        Files.copy(jar, hosts.plugins().resolve("slip.zip"));

        try (PluginHost host = hosts.open()) {
            assertThat(host.names()).containsExactly("good");
            for (String file : Set.of("slip.jar", "slip.zip")) {
                assertThat(Hosts.rejectionOf(host, file).code()).isEqualTo(PluginRejectionCodes.ARCHIVE_UNSAFE);
            }
            try (Stream<Path> all = Files.walk(root)) {
                assertThat(all.map(path -> path.getFileName().toString())).doesNotContain("evil.txt");
            }
        }
    }

    @Test
    void fileThatIsNotOnTheAllowList() throws IOException {
        Path allowed = PluginBuilder.named("allowed").jar(hosts.plugins());

        String digest = FileDigests.sha256(allowed);
        try (PluginHost host =
                hosts.open(config -> config.allowedSha256(Set.of(digest.toUpperCase(java.util.Locale.ROOT))))) {
            assertThat(host.names()).containsExactly("allowed");
            PluginRejection rejection = Hosts.onlyRejection(host);
            assertThat(rejection.code()).isEqualTo(PluginRejectionCodes.NOT_ALLOWED);
            assertThat(rejection.message())
                    .contains(FileDigests.sha256(hosts.plugins().resolve("good.jar")));
        }
    }

    @Test
    void fileThatIsNotTheOneThatTheListOfDigestsMeans() throws IOException {
        Path swapped = PluginBuilder.named("swapped").jar(hosts.plugins());
        String digest = "0123456789abcdef".repeat(4);
        list(digest, "swapped.jar");

        PluginRejection rejection = onlyRejection();
        assertThat(rejection.code()).isEqualTo(PluginRejectionCodes.DIGEST_MISMATCH);
        assertThat(rejection.message()).contains("PLUGINS.sha256", digest, FileDigests.sha256(swapped));
    }

    @Test
    void listOfDigestsLetsPassWhatItNamesAndWhatItDoesNot() throws IOException {
        list(FileDigests.sha256(hosts.plugins().resolve("good.jar")), "good.jar");
        PluginBuilder.named("added").jar(hosts.plugins());

        try (PluginHost host = hosts.open()) {
            assertThat(host.names()).containsExactly("added", "good");
            assertThat(host.rejections()).isEmpty();
        }
    }

    @Test
    void listOfDigestsThatNobodyCanRead() throws IOException {
        list("12345", "good.jar");

        try (PluginHost host = hosts.open()) {
            assertThat(host.names()).as("nobody knows what may be loaded").isEmpty();
            PluginRejection rejection = Hosts.onlyRejection(host);
            assertThat(rejection.code()).isEqualTo(PluginRejectionCodes.DIRECTORY_UNREADABLE);
            assertThat(rejection.message()).contains("PLUGINS.sha256 line 1");
        }
    }

    @Test
    void fileThatWasSwappedWhileItWasLoadedLeavesTheOldCopyInUse() throws IOException {
        Path good = hosts.plugins().resolve("good.jar");
        list(FileDigests.sha256(good), "good.jar");
        try (PluginHost host = hosts.open()) {
            PluginBuilder.named("good").version("2.0.0").jar(hosts.plugins());

            host.rescan();

            assertThat(host.find("good").orElseThrow().file().orElseThrow().version())
                    .isEqualTo("1.0.0");
            assertThat(Hosts.onlyRejection(host).code()).isEqualTo(PluginRejectionCodes.DIGEST_MISMATCH);
        }
    }

    @Test
    void directoryThatIsMissing() {
        try (PluginHost host = hosts.open(config -> config.directory(root.resolve("absent")))) {
            assertThat(host.names()).isEmpty();
            assertThat(Hosts.onlyRejection(host).code()).isEqualTo(PluginRejectionCodes.DIRECTORY_UNREADABLE);
        }
    }
}
