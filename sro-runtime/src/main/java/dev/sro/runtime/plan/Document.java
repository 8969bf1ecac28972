package dev.sro.runtime.plan;

import dev.sro.core.model.Codec;
import dev.sro.core.model.FileErrors;
import dev.sro.core.model.MismatchException;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.yaml.Yaml;
import dev.sro.core.yaml.YamlException;
import dev.sro.runtime.UnusableInputException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A Kubernetes object in a file. Immutable.
 *
 * @param where file and number, for messages
 * @param tree the object
 */
public record Document(String where, Map<String, Object> tree) {

    /** Stands for standard input. */
    private static final String STDIN = "-";

    /** As long as what API servers put there: a number that counts from 0. */
    private static final String GENERATED = "%05d";

    /**
     * The objects in a file: documents of YAML or JSON, lists of objects taken apart.
     *
     * @throws UnusableInputException if it cannot be read, or one is no object
     */
    public static List<Document> read(Path file) {
        return read(List.of(file));
    }

    /**
     * The objects in files, as in {@link #read(Path)}. Where API servers make up the ends of names ({@code generateName}), they are numbered
     * over all files, so that the same files come to the same names, and no two objects of a kind to one.
     */
    public static List<Document> read(List<Path> files) {
        Map<String, Integer> generated = new HashMap<>();
        List<Document> result = files.stream()
                .flatMap(file -> written(file).stream())
                .map(document -> document.named(generated))
                .toList();
        result.forEach(Document::check);
        return result;
    }

    /** The objects in a file as they stand there. */
    private static List<Document> written(Path file) {
        String name = file.toString();
        List<Map<String, Object>> documents;
        try {
            documents = Yaml.documents(name, text(file));
        } catch (YamlException e) {
            throw new UnusableInputException(
                    name, String.valueOf(e.getMessage()).replaceFirst("^\\Q" + name + "\\E[:,]? ?", ""));
        }
        List<Document> result = new ArrayList<>();
        for (int i = 0; i < documents.size(); i++) {
            String where = name + ", document " + (i + 1);
            Map<String, Object> tree = documents.get(i);
            if (ValueTrees.text(tree, "kind").endsWith("List") && tree.get("items") instanceof List<?>) {
                List<Map<String, Object>> items = ValueTrees.maps(tree, "items");
                for (int j = 0; j < items.size(); j++) {
                    result.add(new Document(where + ", item " + (j + 1), items.get(j)));
                }
            } else {
                result.add(new Document(where, tree));
            }
        }
        return result;
    }

    private static String text(Path file) {
        try {
            byte[] bytes = file.toString().equals(STDIN) ? System.in.readAllBytes() : Files.readAllBytes(file);
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UnusableInputException(file.toString(), "cannot be read (" + FileErrors.text(e) + ")");
        }
    }

    /**
     * As after {@code kubectl create}, which has the API server end the name.
     *
     * @param generated how many names were ended, by all that they have to differ from
     */
    private Document named(Map<String, Integer> generated) {
        String begin = ValueTrees.text(tree, "metadata", "generateName");
        if (begin.isEmpty() || !name().isEmpty()) {
            return this;
        }
        String among = String.join("/", kindKey(), ValueTrees.text(tree, "metadata", "namespace"), begin);
        int number = generated.merge(among, 1, Integer::sum) - 1;
        Map<String, Object> metadata = new LinkedHashMap<>(ValueTrees.map(tree, "metadata"));
        metadata.remove("generateName");
        metadata.put("name", begin + GENERATED.formatted(number));
        Map<String, Object> complete = new LinkedHashMap<>(tree);
        complete.put("metadata", metadata);
        return new Document(where, complete);
    }

    private void check() {
        for (List<String> path : List.of(List.of("apiVersion"), List.of("kind"), List.of("metadata", "name"))) {
            if (ValueTrees.text(tree, path.toArray(String[]::new)).isEmpty()) {
                throw new UnusableInputException(where, String.join(".", path) + " is missing");
            }
        }
    }

    /** That a field is not known, for a person. */
    String unknown(String field) {
        return where + ": field " + field + " is not known and is ignored";
    }

    /** Its kind. */
    public String kind() {
        return ValueTrees.text(tree, "kind");
    }

    /** {@code group/version/Kind}. */
    public String kindKey() {
        return ValueTrees.text(tree, "apiVersion") + "/" + kind();
    }

    /** Its name. */
    public String name() {
        return ValueTrees.text(tree, "metadata", "name");
    }

    /** The object as this type; the message of what does not fit names the field. */
    <T> T as(Class<T> type, Codec codec) {
        try {
            return codec.fromTree(tree, type);
        } catch (MismatchException e) {
            throw new UnusableInputException(where + (e.field().isEmpty() ? "" : ", " + e.field()), e.why());
        }
    }
}
