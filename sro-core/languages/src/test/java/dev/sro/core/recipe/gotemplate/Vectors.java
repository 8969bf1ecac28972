package dev.sro.core.recipe.gotemplate;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Tables beside the tests. */
final class Vectors {
    private Vectors() {}

    @SuppressWarnings("unchecked")
    static List<Map<String, Object>> of(String file) {
        return (List<Map<String, Object>>) read(file);
    }

    /** Vectors with their data, which is their own or that of the file. */
    @SuppressWarnings("unchecked")
    static List<Map<String, Object>> withData(String file) {
        Map<String, Object> content = (Map<String, Object>) read(file);
        List<Map<String, Object>> vectors = new ArrayList<>();
        for (Map<String, Object> vector : (List<Map<String, Object>>) Objects.requireNonNull(content.get("vectors"))) {
            Map<String, Object> complete = new HashMap<>(vector);
            complete.putIfAbsent("data", content.get("data"));
            vectors.add(complete);
        }
        return vectors;
    }

    private static Object read(String file) {
        try (InputStream in = Objects.requireNonNull(Vectors.class.getResourceAsStream(file), file)) {
            LoadSettings settings =
                    LoadSettings.builder().setCodePointLimit(1 << 26).build();
            return new Load(settings).loadFromInputStream(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String string(Map<String, Object> vector, String key) {
        return (String) Objects.requireNonNull(vector.get(key), key);
    }
}
