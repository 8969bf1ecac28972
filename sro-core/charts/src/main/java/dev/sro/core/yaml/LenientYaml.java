package dev.sro.core.yaml;

import java.io.Serial;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/**
 * Reads Chart.yaml, values.yaml and JSON of registries into unmodifiable trees. What is rendered is read by Helm itself, so a scalar
 * that YAML 1.1 and 1.2 see differently is of no consequence here. Stateless.
 */
public final class LenientYaml {

    /** What a file of a chart may have. */
    private static final int MAX_CHARACTERS = 5 << 20;

    private static final int MAX_VALUES = 200_000;
    private static final int MAX_DEPTH = 100;
    private static final int MAX_ALIASES = 1_000;

    private static final LoadSettings SETTINGS = LoadSettings.builder()
            .setSchema(new CoreSchema())
            .setMaxAliasesForCollections(MAX_ALIASES)
            .setAllowDuplicateKeys(true)
            .setCodePointLimit(MAX_CHARACTERS)
            .build();

    private int values;

    private LenientYaml() {}

    /**
     * The map in the text; empty when there is none.
     *
     * @param source what the message calls the text
     * @throws YamlException if it is not YAML or not a map
     */
    public static Map<String, Object> map(String source, String text) {
        try {
            return read(source, text);
        } catch (YamlEngineException | TooLargeException e) {
            if (text.indexOf('\t') >= 0) {
                // Go's parser takes a tab for a blank where this one does not.
                return mapWithoutTabs(source, text, e);
            }
            throw invalid(source, e);
        }
    }

    private static Map<String, Object> mapWithoutTabs(String source, String text, RuntimeException first) {
        try {
            return read(source, text.replace('\t', ' '));
        } catch (YamlEngineException | TooLargeException e) {
            throw invalid(source, first);
        }
    }

    private static YamlException invalid(String source, RuntimeException e) {
        return new YamlException(source + " is not valid YAML: " + e.getMessage(), e);
    }

    private static Map<String, Object> read(String source, String text) {
        // Helm takes the first document and does not look at others.
        Iterator<Object> documents = new Load(SETTINGS).loadAllFromString(text).iterator();
        Object tree = documents.hasNext() ? documents.next() : null;
        if (tree == null) {
            return Map.of();
        }
        if (tree instanceof Map<?, ?> map) {
            return new LenientYaml().copy(map, 0);
        }
        throw new YamlException(source + ": must be a map of keys to values");
    }

    private Map<String, Object> copy(Map<?, ?> map, int depth) {
        Map<String, Object> copy = new LinkedHashMap<>(map.size() * 2);
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            putNullable(copy, String.valueOf(entry.getKey()), value(entry.getValue(), depth + 1));
        }
        return Collections.unmodifiableMap(copy);
    }

    private @Nullable Object value(@Nullable Object value, int depth) {
        values++;
        if (values > MAX_VALUES || depth > MAX_DEPTH) {
            throw new TooLargeException();
        }
        if (value instanceof Map<?, ?> map) {
            return copy(map, depth);
        }
        if (value instanceof Collection<?> items) {
            List<@Nullable Object> list = new ArrayList<>(items.size());
            items.forEach(item -> list.add(value(item, depth + 1)));
            return Collections.unmodifiableList(list);
        }
        return value;
    }

    /** In values a key with null means something: it takes away what another layer has. */
    @SuppressWarnings("NullAway")
    public static void putNullable(Map<String, Object> map, String key, @Nullable Object value) {
        map.put(key, value);
    }

    private static final class TooLargeException extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1L;

        TooLargeException() {
            super("more than " + MAX_VALUES + " values, or deeper than " + MAX_DEPTH);
        }
    }
}
