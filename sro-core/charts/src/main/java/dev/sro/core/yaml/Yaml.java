package dev.sro.core.yaml;

import dev.sro.core.yaml.YamlTree.InvalidTreeException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Reads YAML the way Helm, kubectl and the Special Resource Operator do: scalars as in YAML 1.1, of two equal keys the later one, and in
 * the end what JSON can have. Stateless.
 */
public final class Yaml {

    /** Of one text; no chart has as many in one template. Far more would take memory from everything else in the operator. */
    public static final int MAX_DOCUMENTS = 2_000;

    /** Of one text: what may be in a ConfigMap sixteen times over. */
    public static final int MAX_CHARACTERS = 16 << 20;

    private static final int SHOWN = 80;

    private Yaml() {}

    /**
     * The documents that are maps; empty documents are left out.
     *
     * @param source what the message calls the text
     * @throws YamlException if the text is not YAML or a document is not a map
     */
    public static List<Map<String, Object>> documents(String source, String text) {
        return documents(source, text, warning -> {});
    }

    /**
     * The documents that are maps; empty documents are left out.
     *
     * @param source what messages call the text
     * @param warnings gets a line for each key that is there twice
     * @throws YamlException if the text is not YAML, too large, or a document is not a map
     */
    public static List<Map<String, Object>> documents(String source, String text, Consumer<String> warnings) {
        return documents(source, text, line -> "line " + line, warnings);
    }

    /**
     * The same.
     *
     * @param place where a line of the text is, for its author
     */
    public static List<Map<String, Object>> documents(
            String source, String text, IntFunction<String> place, Consumer<String> warnings) {
        if (text.length() > MAX_CHARACTERS) {
            throw invalid(
                    source,
                    place,
                    0,
                    text,
                    "it has " + text.length() + " characters, and " + MAX_CHARACTERS
                            + " are allowed; make fewer objects of one template");
        }
        Consumer<YamlTree.Twice> duplicates =
                twice -> warnings.accept(source + ", " + place.apply(twice.line()) + ": the key " + twice.key()
                        + " is there twice; the last one counts, as for Helm and kubectl; remove the other");
        List<Map<String, Object>> result = new ArrayList<>();
        try {
            YamlDocuments documents = new YamlDocuments(text, duplicates);
            for (int i = 1; documents.hasNext(); i++) {
                int line = documents.line();
                if (i > MAX_DOCUMENTS) {
                    throw invalid(
                            source,
                            place,
                            line,
                            text,
                            "it has more than " + MAX_DOCUMENTS + " documents; make fewer objects of one template");
                }
                object(source, place, line, text, documents.next()).ifPresent(result::add);
            }
        } catch (InvalidTreeException e) {
            throw invalid(source, place, e.line(), text, String.valueOf(e.getMessage()));
        }
        return result;
    }

    @SuppressWarnings("unchecked")
    private static Optional<Map<String, Object>> object(
            String source, IntFunction<String> place, int line, String text, @Nullable Object document) {
        if (document instanceof Map<?, ?> map) {
            return Optional.of((Map<String, Object>) map);
        }
        if (document == null) {
            return Optional.empty();
        }
        throw invalid(
                source,
                place,
                line,
                text,
                "a document is not an object but "
                        + (document instanceof Collection ? "a list" : "\"" + shortened(document.toString()) + "\"")
                        + "; every document needs apiVersion, kind and metadata.name");
    }

    private static YamlException invalid(
            String source, IntFunction<String> place, int line, String text, String wrong) {
        String why = wrong.contains(";") ? wrong : wrong + "; correct it, or put the value into quotes";
        if (line <= 0) {
            return new YamlException(source + ": " + why);
        }
        String there = text.lines().skip(line - 1L).findFirst().orElse("").strip();
        return new YamlException(source + ", " + place.apply(line)
                + (there.isEmpty() ? "" : " (" + shortened(there) + ")") + ": " + why);
    }

    private static String shortened(String text) {
        return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…";
    }
}
