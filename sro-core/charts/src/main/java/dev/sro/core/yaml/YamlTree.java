package dev.sro.core.yaml;

import dev.sro.core.yaml.GoScalars.InvalidScalarException;
import dev.sro.core.yaml.YamlToken.Kind;
import java.io.Serial;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes one document out of tokens: a tree that shares nothing and whose keys are strings, as in JSON. It stops at the first value
 * that is too deep or too many, before the rest is read. Lives for one document.
 */
final class YamlTree {

    /** Far above any manifest: what aliases blow up beyond it is refused. */
    static final int MAX_VALUES = 100_000;

    /** Deeper than any definition of a custom resource; what walks trees later recurses. */
    static final int MAX_DEPTH = 100;

    private static final String MERGE = "<<";

    /** Stands for a key that is none, in a map that may be overwritten before anybody minds. */
    private static final String NO_KEY = "\0no key";

    private static final Set<Kind> BLOCK_KEY = EnumSet.of(Kind.KEY, Kind.VALUE, Kind.BLOCK_END);
    private static final Set<Kind> BLOCK_ITEM = EnumSet.of(Kind.BLOCK_ENTRY, Kind.BLOCK_END);
    private static final Set<Kind> PLAIN_ITEM = EnumSet.of(Kind.BLOCK_ENTRY, Kind.KEY, Kind.VALUE, Kind.BLOCK_END);
    private static final Set<Kind> FLOW_KEY =
            EnumSet.of(Kind.VALUE, Kind.FLOW_ENTRY, Kind.FLOW_LIST_END, Kind.FLOW_MAP_END);
    private static final Set<Kind> FLOW_VALUE = EnumSet.of(Kind.FLOW_ENTRY, Kind.FLOW_LIST_END, Kind.FLOW_MAP_END);

    private final YamlScanner tokens;
    private final Map<String, String> handles;
    private final Consumer<Twice> duplicates;
    private final YamlAnchors anchors = new YamlAnchors(this::count);
    private int values;

    /**
     * A key that its map has already: the later value counts.
     *
     * @param line from one
     */
    record Twice(String key, int line) {}

    /** The document is none of Kubernetes'. */
    static final class InvalidTreeException extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1L;

        private final int line;

        InvalidTreeException(String message, int line) {
            super(message);
            this.line = line;
        }

        /** From one. */
        int line() {
            return line;
        }
    }

    /**
     * What JSON does not have.
     *
     * @param value a number that is none
     * @param why it cannot be, and the fix
     * @param line from one
     */
    private record NoJson(double value, String why, int line) {}

    /**
     * What is written.
     *
     * @param value of it
     * @param alias whether it is an alias
     * @param list whether it is a list in itself
     * @param merge whether it is the key that merges maps
     * @param line from one
     */
    private record Written(@Nullable Object value, boolean alias, boolean list, boolean merge, int line) {}

    /** Anchor and tag of a value; empty where there is none. */
    private record Properties(String anchor, String tag, boolean any) {}

    /**
     * @param handles of tags, by the document's directives
     * @param duplicates is told of each key that is there twice
     */
    YamlTree(YamlScanner tokens, Map<String, String> handles, Consumer<Twice> duplicates) {
        this.tokens = tokens;
        this.handles = handles;
        this.duplicates = duplicates;
    }

    /** The value that begins with the next token. */
    @Nullable Object value() {
        return json(node(true, false, 0).value);
    }

    private Written node(boolean block, boolean plainList, int depth) {
        YamlToken first = tokens.peek();
        count(first.line(), depth);
        if (first.is(Kind.ALIAS)) {
            tokens.next();
            return new Written(anchors.copy(first, depth), true, false, false, first.line());
        }
        Properties properties = properties();
        Object mark = anchors.begin(properties.anchor);
        Written written = content(block, plainList, properties, depth);
        anchors.end(properties.anchor, mark, written.value);
        return written;
    }

    private Properties properties() {
        String anchor = "";
        String tag = "";
        boolean any = false;
        for (int i = 0; i < 2; i++) {
            YamlToken token = tokens.peek();
            if (token.is(Kind.ANCHOR) && anchor.isEmpty()) {
                anchor = tokens.next().value();
                any = true;
            } else if (token.is(Kind.TAG) && tag.isEmpty()) {
                tag = tag(tokens.next());
                any = true;
            }
        }
        return new Properties(anchor, tag, any);
    }

    private String tag(YamlToken token) {
        if (token.handle().isEmpty()) {
            return token.value();
        }
        String prefix = handles.get(token.handle());
        if (prefix == null) {
            throw new InvalidTreeException("the tag handle " + token.handle() + " is not defined", token.line());
        }
        return prefix + token.value();
    }

    private Written content(boolean block, boolean plainList, Properties properties, int depth) {
        YamlToken token = tokens.peek();
        int line = token.line();
        if (plainList && token.is(Kind.BLOCK_ENTRY)) {
            return new Written(plainList(depth), false, true, false, line);
        }
        if (token.is(Kind.SCALAR)) {
            return scalar(tokens.next(), properties.tag);
        }
        if (token.is(Kind.FLOW_LIST) || (block && token.is(Kind.BLOCK_LIST))) {
            return new Written(token.is(Kind.FLOW_LIST) ? flowList(depth) : blockList(depth), false, true, false, line);
        }
        if (token.is(Kind.FLOW_MAP) || (block && token.is(Kind.BLOCK_MAP))) {
            return new Written(token.is(Kind.FLOW_MAP) ? flowMap(depth) : blockMap(depth), false, false, false, line);
        }
        if (properties.any) {
            return scalar(new YamlToken(Kind.SCALAR, "", "", true, line), properties.tag);
        }
        throw unexpected(token, "a value");
    }

    private static InvalidTreeException unexpected(YamlToken token, String expected) {
        String found = token.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ');
        return new InvalidTreeException(
                "it is not valid YAML: " + expected + " is expected here, and not " + found
                        + "; correct the indentation, or put the value into quotes",
                token.line());
    }

    private Written nothing() {
        return new Written(null, false, false, false, tokens.peek().line());
    }

    private List<@Nullable Object> blockList(int depth) {
        tokens.next();
        List<@Nullable Object> list = new ArrayList<>();
        while (tokens.peek().is(Kind.BLOCK_ENTRY)) {
            tokens.next();
            list.add((BLOCK_ITEM.contains(tokens.peek().kind()) ? nothing() : node(true, false, depth + 1)).value);
        }
        end(Kind.BLOCK_END, "an item of the list");
        return list;
    }

    /** A list that is not indented more than its key. */
    private List<@Nullable Object> plainList(int depth) {
        List<@Nullable Object> list = new ArrayList<>();
        while (tokens.peek().is(Kind.BLOCK_ENTRY)) {
            tokens.next();
            list.add((PLAIN_ITEM.contains(tokens.peek().kind()) ? nothing() : node(true, false, depth + 1)).value);
        }
        return list;
    }

    private Map<String, Object> blockMap(int depth) {
        tokens.next();
        Entries entries = new Entries(depth);
        while (tokens.peek().is(Kind.KEY) || tokens.peek().is(Kind.VALUE)) {
            Written key = tokens.peek().is(Kind.KEY) ? inBlock(depth) : nothing();
            entries.add(key, tokens.peek().is(Kind.VALUE) ? inBlock(depth) : nothing());
        }
        end(Kind.BLOCK_END, "a key");
        return entries.map;
    }

    private Written inBlock(int depth) {
        tokens.next();
        return BLOCK_KEY.contains(tokens.peek().kind()) ? nothing() : node(true, true, depth + 1);
    }

    private List<@Nullable Object> flowList(int depth) {
        tokens.next();
        List<@Nullable Object> list = new ArrayList<>();
        while (!tokens.peek().is(Kind.FLOW_LIST_END)) {
            if (tokens.peek().is(Kind.KEY)) {
                // One pair is a map without braces.
                tokens.next();
                Entries entry = new Entries(depth + 1);
                count(tokens.peek().line(), depth + 1);
                entry.add(inFlow(FLOW_KEY, depth + 1), flowValue(depth + 1));
                list.add(entry.map);
            } else {
                list.add(node(false, false, depth + 1).value);
            }
            comma(Kind.FLOW_LIST_END);
        }
        tokens.next();
        return list;
    }

    private Map<String, Object> flowMap(int depth) {
        tokens.next();
        Entries entries = new Entries(depth);
        while (!tokens.peek().is(Kind.FLOW_MAP_END)) {
            if (tokens.peek().is(Kind.KEY)) {
                tokens.next();
                entries.add(inFlow(FLOW_KEY, depth), flowValue(depth));
            } else {
                entries.add(node(false, false, depth + 1), nothing());
            }
            comma(Kind.FLOW_MAP_END);
        }
        tokens.next();
        return entries.map;
    }

    private Written flowValue(int depth) {
        if (!tokens.peek().is(Kind.VALUE)) {
            return nothing();
        }
        tokens.next();
        return inFlow(FLOW_VALUE, depth);
    }

    private Written inFlow(Set<Kind> ends, int depth) {
        return ends.contains(tokens.peek().kind()) ? nothing() : node(false, false, depth + 1);
    }

    private void comma(Kind end) {
        if (tokens.peek().is(Kind.FLOW_ENTRY)) {
            tokens.next();
        } else if (!tokens.peek().is(end)) {
            throw unexpected(tokens.peek(), "a comma or a closing bracket");
        }
    }

    private void end(Kind kind, String expected) {
        if (!tokens.peek().is(kind)) {
            throw unexpected(tokens.peek(), expected);
        }
        tokens.next();
    }

    private static Written scalar(YamlToken token, String tag) {
        boolean merge = token.value().equals(MERGE)
                && (tag.isEmpty() ? token.plain() : tag.equals("!") || tag.equals(GoScalars.PREFIX + "merge"));
        if (tag.isEmpty() && !token.plain()) {
            return new Written(token.value(), false, false, false, token.line());
        }
        try {
            Object value = GoScalars.value(tag, token.value());
            return new Written(
                    value instanceof Double number && !Double.isFinite(number) ? noNumber(number, token.line()) : value,
                    false,
                    false,
                    merge,
                    token.line());
        } catch (InvalidScalarException e) {
            throw new InvalidTreeException(String.valueOf(e.getMessage()), token.line());
        }
    }

    /** In the end: what is overwritten need not be anything that JSON has. */
    @SuppressWarnings("unchecked")
    private static @Nullable Object json(@Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            ((Map<String, Object>) map).replaceAll((key, item) -> jsonOrNull(item));
        } else if (value instanceof List<?> list) {
            ((List<Object>) list).replaceAll(YamlTree::jsonOrNull);
        } else if (value instanceof NoJson no) {
            throw new InvalidTreeException(no.why, no.line);
        }
        return value instanceof Double number ? GoScalars.json(number) : value;
    }

    private static NoJson noNumber(double number, int line) {
        return new NoJson(
                number,
                "JSON has no number for " + number
                        + ", so that an object cannot have it; put it into quotes to make a text" + " of it",
                line);
    }

    @SuppressWarnings("NullAway")
    private static Object jsonOrNull(@Nullable Object value) {
        return json(value);
    }

    /** The entries of one map. */
    private final class Entries {
        private final Map<String, Object> map = new LinkedHashMap<>();

        /** What was merged may be overridden. */
        private final Set<String> own = new HashSet<>();

        private final int depth;

        Entries(int depth) {
            this.depth = depth;
        }

        void add(Written key, Written value) {
            if (key.merge) {
                merge(value);
                return;
            }
            if (key.value instanceof Map<?, ?> || key.value instanceof List<?>) {
                throw new InvalidTreeException(
                        "a key is a map or a list; put a template's {{ }} into quotes", key.line);
            }
            Optional<String> given = GoScalars.key(key.value instanceof NoJson no ? (Object) no.value : key.value);
            if (given.isEmpty()) {
                String what = key.value == null ? "empty" : "no number of 63 bits";
                put(map, NO_KEY, new NoJson(0, "a key is " + what + "; put it into quotes", key.line));
                return;
            }
            String name = given.get();
            count(key.line, depth);
            if (!own.add(name)) {
                duplicates.accept(new Twice(name, key.line));
            }
            put(map, name, value.value);
        }

        /** As go-yaml does it: what is merged wins over what comes before, and the first of several maps over the others. */
        private void merge(Written merged) {
            if (merged.value instanceof Map<?, ?> one) {
                one.forEach((key, value) -> put(map, String.valueOf(key), value));
            } else if (merged.list
                    && merged.value instanceof List<?> several
                    && several.stream().allMatch(Map.class::isInstance)) {
                for (int i = several.size() - 1; i >= 0; i--) {
                    ((Map<?, ?>) several.get(i)).forEach((key, value) -> put(map, String.valueOf(key), value));
                }
            } else {
                throw new InvalidTreeException("what << merges has to be a map or a list of maps", merged.line);
            }
        }
    }

    private void count(int line, int depth) {
        values++;
        if (values > MAX_VALUES || depth > MAX_DEPTH) {
            throw new InvalidTreeException(
                    "it is too large: a document may have " + MAX_VALUES + " values and a depth of " + MAX_DEPTH, line);
        }
    }

    /** JSON has null, and the trees have it, too. */
    @SuppressWarnings("NullAway")
    static void put(Map<String, Object> map, String key, @Nullable Object value) {
        map.put(key, value);
    }
}
