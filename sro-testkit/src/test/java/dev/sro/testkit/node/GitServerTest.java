package dev.sro.testkit.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GitServerTest {
    @TempDir
    private Path folder;

    @Test
    void servesTheNewestCommitOfARepositoryOverHttp() throws IOException {
        assumeTrue(
                Arrays.stream(System.getenv("PATH").split(":"))
                        .map(path -> Path.of(path, "git"))
                        .anyMatch(Files::isExecutable),
                "git is not installed");
        try (GitServer server = GitServer.start(folder.resolve("served"))) {
            server.publish("kmod", Map.of("Makefile", "all:\n", "src/a.c", "first"));
            String url = server.publish("kmod", Map.of("Makefile", "all:\n", "src/a.c", "second"));

            // The host's own address is for machines only.
            String here = url.replace(NodeCluster.HOST, "127.0.0.1");
            RigProcess.run(
                    List.of("git", "clone", "-q", "--depth=1", "--branch", "main", here, "clone"),
                    folder,
                    "clone-command",
                    Duration.ofSeconds(30));

            assertThat(url).startsWith("http://10.0.2.2:").endsWith("/kmod.git");
            assertThat(folder.resolve("clone/src/a.c")).hasContent("second");
        }
    }
}
