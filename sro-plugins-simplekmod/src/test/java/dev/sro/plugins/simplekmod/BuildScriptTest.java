package dev.sro.plugins.simplekmod;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script of the build Job, run by the shell of this machine with a stand-in for BuildKit. */
class BuildScriptTest {

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    private record Result(int code, String out) {}

    private Process start(String builder) throws IOException {
        String script = Kmod.onKubernetes(Map.of(), Kmod.USUAL_SET)
                .get("ConfigMap", "simple-kmod-driver-build")
                .get("data", "build.sh");
        Files.writeString(directory.resolve("build.sh"), script);
        Path stub = Files.writeString(directory.resolve("buildctl-daemonless.sh"), "#!/bin/sh\n" + builder);
        assertThat(stub.toFile().setExecutable(true)).isTrue();
        ProcessBuilder process = new ProcessBuilder("sh", "build.sh", "build", "--opt=a b")
                .directory(directory.toFile())
                .redirectErrorStream(true);
        process.environment().merge("PATH", directory.toString(), (path, own) -> own + ":" + path);
        process.environment().put("TMPDIR", directory.toString());
        return process.start();
    }

    private Result run(String builder) throws IOException, InterruptedException {
        Process process = start(builder);
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
        return new Result(process.exitValue(), out);
    }

    @Test
    void aBuildThatSucceedsIsLoggedAndEndsWell() throws Exception {
        assertThat(run("echo \"$1 $2\"; echo to stderr >&2\n"))
                .isEqualTo(new Result(0, "build --opt=a b\nto stderr\n"));
    }

    @Test
    void modulesThatDoNotCompileEndWithACodeOfTheirOwn() throws Exception {
        String command = "#9 RUN make || { echo \"sro: the modules do not\" \"compile\"; exit 1; }";

        assertThat(run("echo '#9 2.1 sro: the modules do not compile'; exit 1\n")
                        .code())
                .isEqualTo(42);
        assertThat(run("echo '" + command + "'; echo connection refused; exit 1\n")
                        .code())
                .as("the report of the command is no failure of it")
                .isEqualTo(1);
    }

    @Test
    void hearsSigterm() throws Exception {
        Process process = start("echo begun; exec sleep 30\n");
        assertThat(process.getInputStream().read()).isEqualTo('b');
        process.destroy();
        assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(143);
        process.descendants().forEach(ProcessHandle::destroy);
    }
}
