package dev.sro.runtime.plan;

import dev.sro.core.model.ValueTrees;
import dev.sro.core.recipe.source.ClusterFiles;
import dev.sro.runtime.UnusableInputException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The ConfigMaps of files, where there is no cluster that could be asked: a chart in another one, or whose repository needs a Secret,
 * cannot be had. Immutable.
 */
final class FileMaps implements ClusterFiles {

    private final List<Document> maps;

    /**
     * @param documents all that there is; what is no ConfigMap is passed over
     */
    FileMaps(List<Document> documents) {
        this.maps = documents.stream().filter(FileRecipes::isMap).toList();
    }

    @Override
    public Optional<Map<String, byte[]>> configMap(String namespace, String name) throws IOException {
        for (Document map : maps) {
            String in = ValueTrees.text(map.tree(), "metadata", "namespace");
            if (map.name().equals(name) && (in.isEmpty() || in.equals(namespace))) {
                return Optional.of(contents(map));
            }
        }
        throw missing("ConfigMap", namespace, name, "give it with -f, or a chart with --chart PATH");
    }

    @Override
    public Optional<Map<String, byte[]>> secret(String namespace, String name) throws IOException {
        throw missing("Secret", namespace, name, "leave them out, or give --chart PATH");
    }

    private static Map<String, byte[]> contents(Document map) {
        Map<String, byte[]> contents = new HashMap<>();
        ValueTrees.map(map.tree(), "data")
                .forEach((key, text) -> contents.put(key, String.valueOf(text).getBytes(StandardCharsets.UTF_8)));
        ValueTrees.map(map.tree(), "binaryData").forEach((key, text) -> {
            try {
                contents.put(key, Base64.getMimeDecoder().decode(String.valueOf(text)));
            } catch (IllegalArgumentException e) {
                throw new UnusableInputException(map.where() + ", binaryData." + key, "is not base64");
            }
        });
        return contents;
    }

    private static IOException missing(String kind, String namespace, String name, String fix) {
        return new IOException(kind + " " + namespace + "/" + name
                + " is in a cluster, and with --nodes or --kernel none is asked; " + fix);
    }
}
