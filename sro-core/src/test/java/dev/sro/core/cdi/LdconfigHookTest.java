package dev.sro.core.cdi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.device.CdiHook;
import dev.sro.api.device.Decoration;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The hook that renews the cache of the linker, run as a container runtime runs it. */
class LdconfigHookTest {

    @TempDir
    Path root;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"ociVersion\":\"1.0\",\"root\":{\"path\":\"/var/lib/x/merged\",\"readonly\":true}} | -r"
                        + " /var/lib/x/merged",
                "{\"root\": {\"readonly\": false, \"path\": \"rootfs\"}, \"process\": {\"cwd\": \"/\"}} | -r"
                        + " BUNDLE/rootfs",
                "{\"process\":{}} | ''"
            })
    void runsTheProgramOnTheRootOfTheContainer(String config, String expected) throws Exception {
        Path program = Files.writeString(root.resolve("ldconfig"), "#!/bin/sh\necho \"$*\"\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.writeString(root.resolve("config.json"), config);
        CdiHook hook = Decorations.cdi(Decoration.builder()
                        .kind("vendor.example/nic")
                        .addLibraries("/usr/lib64/libnic.so")
                        .ldconfig(program.toString())
                        .build())
                .devices()
                .values()
                .iterator()
                .next()
                .hooks()
                .get(0);
        List<String> command = new ArrayList<>(hook.arguments());
        command.set(0, hook.path());

        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream()
                .write(("{\"ociVersion\":\"1.0.2\",\"id\":\"c1\",\"status\":\"creating\",\"bundle\":\"" + root
                                + "\",\"annotations\":{\"a\":\"b\"}}")
                        .getBytes(java.nio.charset.StandardCharsets.UTF_8));
        process.getOutputStream().close();

        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8).strip())
                .isEqualTo(expected.replace("BUNDLE", root.toString()));
        assertThat(process.exitValue()).isZero();
    }
}
