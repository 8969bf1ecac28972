package dev.sro.core.yaml;

import dev.sro.core.yaml.YamlToken.Kind;
import dev.sro.core.yaml.YamlTree.InvalidTreeException;
import dev.sro.core.yaml.YamlTree.Twice;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The documents of a text, one after the other, so that nobody has to read all of them. Not thread-safe. */
final class YamlDocuments {

    private static final Set<Kind> NO_CONTENT =
            EnumSet.of(Kind.VERSION, Kind.TAG_HANDLE, Kind.DOCUMENT_START, Kind.DOCUMENT_END, Kind.STREAM_END);

    private final YamlScanner tokens;
    private final Consumer<Twice> duplicates;
    private boolean first = true;

    /**
     * @param duplicates is told of each key that is there twice
     * @throws InvalidTreeException if the text has characters that YAML does not
     */
    YamlDocuments(String text, Consumer<Twice> duplicates) {
        this.tokens = new YamlScanner(new YamlCharacters(text));
        this.duplicates = duplicates;
    }

    /** Whether there is one more. */
    boolean hasNext() {
        while (!first && tokens.peek().is(Kind.DOCUMENT_END)) {
            tokens.next();
        }
        return !tokens.peek().is(Kind.STREAM_END);
    }

    /** In which line the next one begins. */
    int line() {
        return tokens.peek().line();
    }

    /** The value of the next one. */
    @Nullable Object next() {
        Map<String, String> handles = directives();
        boolean marked = tokens.peek().is(Kind.DOCUMENT_START);
        if (marked) {
            tokens.next();
        } else if (!first || !handles.isEmpty()) {
            throw new InvalidTreeException(
                    "it is not valid YAML: a document begins with ---; correct the indentation, or put the value into"
                            + " quotes",
                    tokens.peek().line());
        }
        handles.putIfAbsent("!", "!");
        handles.putIfAbsent("!!", GoScalars.PREFIX);
        handles.remove("");
        YamlToken content = tokens.peek();
        Object value = content.is(Kind.STREAM_END) || (marked && NO_CONTENT.contains(content.kind()))
                ? null
                : new YamlTree(tokens, handles, duplicates).value();
        first = false;
        // Where a document ends is known by what comes next, which has to be a token.
        tokens.peek();
        return value;
    }

    /** Handles of tags; the empty one where there is another directive. */
    private Map<String, String> directives() {
        Map<String, String> handles = new HashMap<>();
        while (tokens.peek().is(Kind.VERSION) || tokens.peek().is(Kind.TAG_HANDLE)) {
            YamlToken directive = tokens.next();
            String handle = directive.handle();
            if (directive.is(Kind.VERSION) && !directive.value().equals("1.1")) {
                throw new InvalidTreeException(
                        "its directive asks for YAML " + directive.value()
                                + ", and Kubernetes' tools know 1.1; remove the directive",
                        directive.line());
            }
            if (handles.put(handle, directive.value()) != null) {
                throw new InvalidTreeException("a directive is there twice; remove one", directive.line());
            }
        }
        return handles;
    }
}
