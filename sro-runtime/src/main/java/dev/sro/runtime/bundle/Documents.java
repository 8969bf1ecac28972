package dev.sro.runtime.bundle;

import dev.sro.core.yaml.Yaml;
import dev.sro.core.yaml.YamlException;
import dev.sro.runtime.UnusableInputException;
import java.util.List;
import java.util.Map;

/** Reads YAML that a user gave. Stateless. */
final class Documents {

    private Documents() {}

    /**
     * The documents of a text.
     *
     * @throws UnusableInputException if it is no YAML, or a document is no map
     */
    static List<Map<String, Object>> parse(String source, String text) {
        try {
            return Yaml.documents(source, text);
        } catch (YamlException e) {
            throw new UnusableInputException(source, String.valueOf(e.getMessage()));
        }
    }
}
