package dev.sro.runtime.gather;

import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Where everything is written, redacted, and what could not be. Confined to one thread. */
final class DiagnosticsFolder {

    private final Path root;
    private final KubernetesSerialization serialization = new KubernetesSerialization();
    private final List<String> missing = new ArrayList<>();
    private int files;

    DiagnosticsFolder(Path root) {
        this.root = root;
    }

    /** Writes an object as YAML. */
    @SuppressWarnings("unchecked")
    void object(String path, Object object) {
        Map<String, Object> tree = serialization.convertValue(object, Map.class);
        write(path, serialization.asYaml(Redaction.object(tree)));
    }

    /** Writes a text. */
    void text(String path, String text) {
        write(path, Redaction.text(text));
    }

    /** Notes what could not be had. */
    void missing(String what, String why) {
        missing.add(what + ": " + why);
    }

    List<String> missing() {
        return List.copyOf(missing);
    }

    int files() {
        return files;
    }

    private void write(String path, String text) {
        Path file = root.resolve(path);
        try {
            Path folder = file.getParent();
            if (folder != null) {
                Files.createDirectories(folder);
            }
            Files.writeString(file, text);
            files++;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
