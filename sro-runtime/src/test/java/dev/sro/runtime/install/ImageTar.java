package dev.sro.runtime.install;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * The image that {@code -Pimage} built, unpacked.
 *
 * @param config of the image
 * @param root where its layers are, one over the other
 * @param entries what {@code tar -tv} says of the layers
 */
record ImageTar(JsonNode config, Path root, List<String> entries) {

    private static final Path TAR = Path.of("target", "sro-operator-image.tar");

    /** Runs a command in an image's files as a container does. */
    private static final Path ENTER = Path.of("image", "enter.sh");

    static ImageTar unpack(Path folder) throws IOException, InterruptedException {
        assertThat(TAR).as("built by -Pimage").exists();
        Path parts = Files.createDirectories(folder.resolve("parts"));
        tar("-xf", TAR.toString(), "-C", parts.toString());
        ObjectMapper mapper = new ObjectMapper();
        JsonNode manifest =
                mapper.readTree(parts.resolve("manifest.json").toFile()).get(0);
        Path root = Files.createDirectories(folder.resolve("root"));
        List<String> entries = new ArrayList<>();
        for (JsonNode layer : manifest.get("Layers")) {
            String file = parts.resolve(layer.asText()).toString();
            tar("-xf", file, "-C", root.toString());
            tar("--numeric-owner", "-tvf", file).lines().forEach(entries::add);
        }
        return new ImageTar(
                mapper.readTree(parts.resolve(manifest.get("Config").asText()).toFile()), root, entries);
    }

    private static String tar(String... args) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("tar"));
        command.addAll(List.of(args));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("TZ", "UTC");
        Process process = builder.start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as("%s", command).isZero();
        return out;
    }

    /** Whether its own Java can run here: with the base of {@code image/base.sh}, by root. */
    boolean runs() {
        return Files.isExecutable(root.resolve("opt/java/bin/java"))
                && System.getProperty("user.name").equals("root");
    }

    /**
     * What a command begins with that runs in it as in a container: as its user, with nothing writable but the folder for temporary
     * files.
     *
     * @param bound folder of this machine that is there inside, too
     * @param environment more variables than its own
     */
    List<String> inside(Path bound, String... environment) {
        List<String> command = new ArrayList<>();
        command.add(ENTER.toAbsolutePath().toString());
        command.addAll(List.of("--bind", bound.toString()));
        Stream.concat(words("Env").stream(), Stream.of(environment))
                .forEach(variable -> command.addAll(List.of("--env", variable)));
        command.add(root.toString());
        return command;
    }

    /** A list of words in the part of the configuration that says how to run it. */
    List<String> words(String key) {
        return StreamSupport.stream(config.path("config").path(key).spliterator(), false)
                .map(JsonNode::asText)
                .toList();
    }

    /** Files below a folder of the image, relative to it. */
    List<String> files(String folder) throws IOException {
        Path base = root.resolve(folder);
        try (Stream<Path> all = Files.walk(base)) {
            return all.filter(Files::isRegularFile)
                    .map(file -> base.relativize(file).toString())
                    .sorted()
                    .toList();
        }
    }
}
