package dev.sro.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./sro} of the sources, with a Maven and a Java that only say what the real ones would. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the launcher is a shell script")
class SourceLauncherTest {

    private static final String MAVEN = """
        #!/bin/sh
        echo "[INFO] Scanning for projects..."
        echo "[INFO] Building sro-api 0.1.0 [1/2]"
        echo "[INFO] Building jar: /somewhere/a.jar"
        echo "[INFO] Building sro-core 0.1.0 [2/2]"
        %s
        mkdir -p sro-runtime/demo/target/quick/app
        """;

    private static final String JAVA = """
        #!/bin/sh
        case "$1" in
            -version) echo 'openjdk version "17.0.1"' >&2 ;;
            *) echo ran ;;
        esac
        """;

    @TempDir
    private Path folder = Path.of("");

    private static void executable(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private Cli run(String failure) throws Exception {
        executable(folder.resolve("sro"), Files.readString(Path.of("..", "sro")));
        executable(folder.resolve("mvnw"), MAVEN.formatted(failure));
        executable(folder.resolve("java/bin/java"), JAVA);
        ProcessBuilder builder = new ProcessBuilder(folder.resolve("sro").toString(), "plugins");
        builder.environment().put("JAVA_HOME", folder.resolve("java").toString());
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        Process process =
                builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
        int code = process.waitFor();
        return new Cli(
                code, Files.readString(out, StandardCharsets.UTF_8), Files.readString(err, StandardCharsets.UTF_8));
    }

    @Test
    void saysWhichModuleIsBuilt() throws Exception {
        Cli run = run("");

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).isEqualTo("ran\n");
        assertThat(run.err().lines())
                .containsExactly(
                        "sro: building (once; again when sources change) ...",
                        "sro: building sro-api 0.1.0 [1/2]",
                        "sro: building sro-core 0.1.0 [2/2]");

        assertThat(run("").err()).as("built already").isEmpty();
    }

    @Test
    void saysWhyABuildFailed() throws Exception {
        Cli run = run("echo '[ERROR] a.java: wrong'; exit 1");

        assertThat(run.code()).isOne();
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).endsWith("[ERROR] a.java: wrong\nsro: the build failed\n");
    }
}
