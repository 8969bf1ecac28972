package dev.sro.plugins.solarflare;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script that puts the user-space files onto a node, in a real shell. */
class UserFilesScriptTest {

    @TempDir
    Path root;

    private static String script() throws IOException {
        try (InputStream in = Objects.requireNonNull(OnloadPlugin.class.getResourceAsStream("user-files.yaml"))) {
            DaemonSet set = new KubernetesSerialization()
                    .unmarshal(new String(in.readAllBytes(), StandardCharsets.UTF_8), DaemonSet.class);
            List<String> command =
                    set.getSpec().getTemplate().getSpec().getContainers().get(0).getCommand();
            return command.get(command.size() - 1).replace("$${", "${");
        }
    }

    private Process start(Path source) throws IOException {
        String text = script().replace("/tmp/placed", root.resolve("placed").toString());
        ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-c", text);
        builder.environment().put("SOURCE", source.toString());
        builder.environment().put("TARGET", root.resolve("node/opt/onload").toString());
        return builder.redirectErrorStream(true)
                .redirectOutput(root.resolve("out").toFile())
                .start();
    }

    @Test
    void placesATreeAndTakesExactlyThatAwayAgain() throws Exception {
        Path source = Files.createDirectories(root.resolve("image/opt/onload"));
        Files.createDirectories(source.resolve("usr/lib64"));
        Files.writeString(source.resolve("usr/lib64/libonload.so.1"), "library");
        Files.createSymbolicLink(source.resolve("usr/lib64/libonload.so"), Path.of("libonload.so.1"));
        Files.writeString(source.resolve(".version"), "9");
        Path target = root.resolve("node/opt/onload");
        Files.createDirectories(target.resolve("usr"));
        Files.writeString(target.resolve("usr/theirs"), "kept");
        Process process = start(source);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!Files.exists(root.resolve("placed"))) {
            assertThat(System.nanoTime())
                    .as(() -> process.isAlive() + " " + root)
                    .isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(20);
        }

        assertThat(Files.readString(target.resolve("usr/lib64/libonload.so"))).isEqualTo("library");
        assertThat(target.resolve("usr/lib64/libonload.so")).isSymbolicLink();
        assertThat(target.resolve(".version")).exists();

        process.destroy();

        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        try (Stream<Path> left = Files.walk(target)) {
            assertThat(left.filter(Files::isRegularFile)).containsExactly(target.resolve("usr/theirs"));
        }
        assertThat(target.resolve("usr/lib64")).doesNotExist();
    }

    @Test
    void saysWhatTheImageLacks() throws Exception {
        Process process = start(root.resolve("none"));

        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(1);
        assertThat(Files.readString(root.resolve("out")))
                .isEqualTo("the image has no directory " + root.resolve("none") + "\n");
    }
}
