package dev.sro.runtime.install;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** An image is put onto a base of another architecture, and several become one, with images made here of a few bytes. */
@EnabledIf(value = "hasJq", disabledReason = "no jq here: the scripts for images need it")
class ImageScriptsTest {
    private static final JsonMapper JSON = new JsonMapper();
    private static final String BASE = "sro-runtime/image/base.sh";
    private static final String BUILD = "sro-runtime/image/build.sh";
    private static final String JIB = "jib-maven-plugin:3.5.2";

    @TempDir
    private Path home;

    static boolean hasJq() {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "jq")));
    }

    private record Ran(int code, String said) {}

    private Ran script(String name, String... arguments) throws Exception {
        Path output = Files.createTempFile(home, "script", ".log");
        String[] command = Stream.concat(
                        Stream.of(Path.of("image", name).toAbsolutePath().toString()), Arrays.stream(arguments))
                .toArray(String[]::new);
        Process process = new ProcessBuilder(command)
                .directory(home.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        return new Ran(process.exitValue(), Files.readString(output));
    }

    /** An archive as {@code docker save} has it, whose layers hold one file each that says who made it. */
    private Path image(String name, String architecture, String... makers) throws Exception {
        Path parts = Files.createDirectories(home.resolve(name + "-parts"));
        ObjectNode config =
                JSON.createObjectNode().put("architecture", architecture).put("os", "linux");
        config.putObject("config").putObject("Labels").put("of", architecture);
        ArrayNode entry = config.withObject("/config").putArray("Entrypoint");
        List.of("java", "-XX:SharedArchiveFile=/opt/sro/operator.jsa", "dev.sro.runtime.Main")
                .forEach(entry::add);
        ArrayNode ids = config.putObject("rootfs").put("type", "layers").putArray("diff_ids");
        ArrayNode history = config.putArray("history");
        ObjectNode manifest = JSON.createObjectNode();
        manifest.putArray("RepoTags").add("sro:1");
        ArrayNode layers = manifest.putArray("Layers");
        for (int i = 0; i < makers.length; i++) {
            Path file = Files.writeString(parts.resolve("file" + i), architecture + " " + makers[i]);
            tar(parts, parts.resolve("layer" + i + ".tar"), String.valueOf(file.getFileName()));
            ids.add("sha256:" + digest(parts.resolve("layer" + i + ".tar")));
            layers.add("layer" + i + ".tar");
            history.addObject().put("created_by", makers[i]);
        }
        JSON.writeValue(parts.resolve("config.json").toFile(), config);
        manifest.put("Config", "config.json");
        JSON.writeValue(parts.resolve("manifest.json").toFile(), List.of(manifest));
        Path archive = home.resolve(name + ".tar");
        tar(parts, archive, ".");
        return archive;
    }

    private void tar(Path folder, Path archive, String what) throws Exception {
        run("tar", "-cf", archive.toString(), "-C", folder.toString(), what);
    }

    private void run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).inheritIO().start();
        assertThat(process.waitFor()).isZero();
    }

    private static String digest(Path file) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
    }

    private Path unpack(Path archive) throws Exception {
        Path folder = Files.createDirectory(home.resolve(archive.getFileName() + "-unpacked"));
        run("tar", "-xf", archive.toString(), "-C", folder.toString());
        return folder;
    }

    /** What files say in layers that a configuration names, which have the digests that it has. */
    private List<String> layers(Path folder, JsonNode config, List<Path> files) throws Exception {
        List<String> said = new ArrayList<>();
        for (int i = 0; i < files.size(); i++) {
            Path plain = home.resolve("plain.tar");
            boolean gzip = Files.readAllBytes(files.get(i))[0] == 0x1f;
            Files.write(plain, gzip ? gunzip(files.get(i)) : Files.readAllBytes(files.get(i)));
            assertThat(config.at("/rootfs/diff_ids/" + i).asText()).isEqualTo("sha256:" + digest(plain));
            Path out = Files.createDirectories(folder.resolve("out" + i));
            run("tar", "-xf", plain.toString(), "-C", out.toString());
            try (Stream<Path> found = Files.walk(out)) {
                said.add(Files.readString(
                        found.filter(Files::isRegularFile).findFirst().orElseThrow()));
            }
        }
        return said;
    }

    private static byte[] gunzip(Path file) throws IOException {
        try (var in = new GZIPInputStream(Files.newInputStream(file))) {
            return in.readAllBytes();
        }
    }

    @Test
    void anImageGetsTheBaseOfAnotherArchitectureAndLosesTheArchiveOfClasses() throws Exception {
        Path image = image("image", "amd64", BASE, JIB, BUILD);
        Path base = image("base", "arm64", BASE);
        Path helm = Files.writeString(home.resolve("helm-arm64"), "a program");
        Path out = home.resolve("rebased.tar");
        Ran ran = script(
                "rebase.sh", "--add", helm + "=/usr/bin/helm", image.toString(), base.toString(), out.toString());
        assertThat(ran.code()).as(ran.said()).isZero();
        assertThat(ran.said()).contains("sro:1 for arm64, 3 layers");

        Path parts = unpack(out);
        JsonNode manifest =
                JSON.readTree(parts.resolve("manifest.json").toFile()).path(0);
        JsonNode config =
                JSON.readTree(parts.resolve(manifest.path("Config").asText()).toFile());
        assertThat(config.path("architecture").asText()).isEqualTo("arm64");
        assertThat(config.at("/config/Labels/of").asText()).isEqualTo("arm64");
        assertThat(config.at("/config/Entrypoint").toString()).isEqualTo("[\"java\",\"dev.sro.runtime.Main\"]");
        assertThat(config.path("history")).hasSize(3);
        List<Path> files = new ArrayList<>();
        manifest.path("Layers").forEach(layer -> files.add(parts.resolve(layer.asText())));
        assertThat(layers(parts, config, files)).containsExactly("arm64 " + BASE, "amd64 " + JIB, "a program");

        Path again = home.resolve("again.tar");
        script("rebase.sh", "--add", helm + "=/usr/bin/helm", image.toString(), base.toString(), again.toString());
        assertThat(digest(again)).as("equal files make an equal one").isEqualTo(digest(out));
    }

    @Test
    void whatIsNoImageOfOursIsRefusedByName() throws Exception {
        Path foreign = image("foreign", "amd64", "somebody", JIB);
        Path base = image("base", "arm64", BASE);
        Ran ran = script(
                "rebase.sh",
                foreign.toString(),
                base.toString(),
                home.resolve("out.tar").toString());
        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.said()).contains("foreign.tar is not on a base of base.sh");
        assertThat(home.resolve("out.tar")).doesNotExist();
        assertThat(script("rebase.sh", "nowhere.tar", base.toString(), "out.tar")
                        .said())
                .contains("there is no nowhere.tar");
    }

    @Test
    void severalBecomeOneOfWhichEachArchitectureHasItsOwn() throws Exception {
        Path one = image("one", "amd64", BASE, JIB);
        Path other = image("other", "arm64", BASE, JIB);
        Path out = home.resolve("both.tar");
        Ran ran = script("index.sh", out.toString(), one.toString(), other.toString());
        assertThat(ran.code()).as(ran.said()).isZero();

        Path parts = unpack(out);
        JsonNode index =
                blob(parts, JSON.readTree(parts.resolve("index.json").toFile()).at("/manifests/0"));
        assertThat(index.path("manifests")).hasSize(2);
        for (JsonNode each : index.path("manifests")) {
            JsonNode manifest = blob(parts, each);
            JsonNode config = blob(parts, manifest.path("config"));
            String architecture = each.at("/platform/architecture").asText();
            assertThat(config.path("architecture").asText()).isEqualTo(architecture);
            List<Path> files = new ArrayList<>();
            manifest.path("layers").forEach(layer -> files.add(file(parts, layer)));
            Path folder = Files.createDirectory(parts.resolve(architecture));
            assertThat(layers(folder, config, files))
                    .containsExactly(architecture + " " + BASE, architecture + " " + JIB);
        }
        assertThat(script("index.sh", out.toString(), one.toString(), one.toString())
                        .said())
                .contains("is for amd64, and so is another one");
    }

    private static Path file(Path parts, JsonNode descriptor) {
        return parts.resolve("blobs").resolve(descriptor.path("digest").asText().replace(':', '/'));
    }

    private static JsonNode blob(Path parts, JsonNode descriptor) throws Exception {
        Path file = file(parts, descriptor);
        assertThat(descriptor.path("digest").asText()).isEqualTo("sha256:" + digest(file));
        assertThat(descriptor.path("size").asLong()).isEqualTo(Files.size(file));
        return JSON.readTree(file.toFile());
    }
}
