package dev.sro.core.recipe.gotemplate;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
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
        try (InputStream in = Objects.requireNonNull(Vectors.class.getResourceAsStream(file), file)) {
            LoadSettings settings =
                    LoadSettings.builder().setCodePointLimit(1 << 26).build();
            return (List<Map<String, Object>>) new Load(settings).loadFromInputStream(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String string(Map<String, Object> vector, String key) {
        return (String) Objects.requireNonNull(vector.get(key), key);
    }
}
