package dev.sro.runtime.bundle;

import dev.sro.core.manifest.RenderException;
import dev.sro.core.manifest.Yaml;
import dev.sro.runtime.InputException;
import java.util.List;
import java.util.Map;

/** Reads YAML that a user gave. Stateless. */
final class Documents {

    private Documents() {}

    /**
     * The documents of a text.
     *
     * @throws InputException if it is no YAML, or a document is no map
     */
    static List<Map<String, Object>> of(String source, String text) {
        try {
            return Yaml.documents(source, text);
        } catch (RenderException e) {
            throw new InputException(source, String.valueOf(e.getMessage()));
        }
    }
}
