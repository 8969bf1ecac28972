package dev.sro.plugins.solarflare;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script that puts the user-space files onto a node, in a real shell. */
class UserFilesScriptTest {

    @TempDir
    Path root;

    private Path modules;
    private Path files;

    @BeforeEach
    void barriers() {
        modules = root.resolve("barriers/modules");
        files = root.resolve("barriers/files");
    }

    private static String script() throws IOException {
        try (InputStream in = Objects.requireNonNull(OnloadPlugin.class.getResourceAsStream("user-files.yaml"))) {
            GenericKubernetesResource set = new KubernetesSerialization()
                    .unmarshal(new String(in.readAllBytes(), StandardCharsets.UTF_8), GenericKubernetesResource.class);
            List<String> command = set.get("spec", "template", "spec", "containers", 0, "command");
            return command.get(command.size() - 1).replace("$${", "${");
        }
    }

    private Process start(Path source) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-c", script().replace("sleep 5", "sleep 0.1"));
        Files.createDirectories(modules.getParent());
        builder.environment().put("MODULES", modules.toString());
        builder.environment().put("FILES", files.toString());
        builder.environment().put("SAYS", "driver-2");
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
        Files.writeString(modules, "driver-2\n");
        await(process, () -> Files.exists(files));

        assertThat(Files.readString(target.resolve("usr/lib64/libonload.so"))).isEqualTo("library");
        assertThat(target.resolve("usr/lib64/libonload.so")).isSymbolicLink();
        assertThat(target.resolve(".version")).exists();

        process.destroy();

        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        try (Stream<Path> left = Files.walk(target)) {
            assertThat(left.filter(Files::isRegularFile)).containsExactly(target.resolve("usr/theirs"));
        }
        assertThat(target.resolve("usr/lib64")).doesNotExist();
        assertThat(files).doesNotExist();
    }

    private void await(Process process, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime())
                    .as(() -> process.isAlive() + " " + root)
                    .isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    @Test
    void theBarrierIsOpenOnlyWhileTheVeryModulesOfTheFilesAreLoaded() throws Exception {
        Path source = Files.createDirectories(root.resolve("image/opt/onload"));
        Files.writeString(source.resolve("library"), "2");
        Files.createDirectories(files.getParent());
        Files.writeString(files, "driver-1\n");
        Files.writeString(modules, "driver-1\n");
        Process process = start(source);
        await(process, () -> !Files.exists(files) && Files.exists(root.resolve("node/opt/onload/library")));
        TimeUnit.MILLISECONDS.sleep(500);
        assertThat(files).as("those are the modules of another driver").doesNotExist();

        Files.writeString(modules, "driver-2\n");
        await(process, () -> Files.exists(files));
        assertThat(Files.readString(files)).isEqualTo("driver-2\n");

        Files.delete(modules);
        await(process, () -> !Files.exists(files));

        process.destroy();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
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
