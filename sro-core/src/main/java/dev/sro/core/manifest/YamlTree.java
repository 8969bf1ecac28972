package dev.sro.core.manifest;

import dev.sro.core.manifest.GoScalars.InvalidScalarException;
import java.io.Serial;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingEndEvent;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceEndEvent;
import org.snakeyaml.engine.v2.events.SequenceStartEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;

/**
 * Makes one document out of the events of a parser: a tree that shares nothing and whose keys are strings, as in JSON. It stops at the
 * first value that is too deep or too many, before the parser has seen the rest. Lives for one document.
 */
final class YamlTree {

    /** Far above any manifest: what aliases blow up beyond it is refused. */
    static final int MAX_VALUES = 100_000;

    /** Deeper than any definition of a custom resource; what walks trees later recurses. */
    static final int MAX_DEPTH = 100;

    private static final String MERGE = "<<";
    private static final String MERGE_TAG = GoScalars.PREFIX + "merge";

    private final Iterator<Event> events;
    private final Consumer<Twice> duplicates;
    private final Map<Anchor, Object> anchors = new HashMap<>();
    private final Set<Anchor> open = new HashSet<>();
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

        /** From one; 0 where it is not known. */
        int line() {
            return line;
        }
    }

    /** An alias stands for what has its anchor; null has no other way into a map of anchors. */
    private enum Nothing {
        NULL
    }

    YamlTree(Iterator<Event> events, Consumer<Twice> duplicates) {
        this.events = events;
        this.duplicates = duplicates;
    }

    /** The value that begins with the event. */
    @Nullable Object value(Event event) {
        return value(event, 0);
    }

    private @Nullable Object value(Event event, int depth) {
        count(event, depth);
        if (event instanceof AliasEvent alias) {
            return copy(anchored(alias), event, depth);
        }
        Optional<Anchor> anchor = ((NodeEvent) event).getAnchor();
        // A name may be given anew; until it is complete, what has it contains itself.
        anchor.ifPresent(open::add);
        Object value = event instanceof ScalarEvent scalar ? scalar(scalar) : collection(event, depth);
        anchor.ifPresent(name -> {
            open.remove(name);
            anchors.put(name, value == null ? Nothing.NULL : value);
        });
        return value;
    }

    private @Nullable Object collection(Event event, int depth) {
        if (event instanceof MappingStartEvent) {
            return map(depth);
        }
        if (event instanceof SequenceStartEvent) {
            List<@Nullable Object> list = new ArrayList<>();
            for (Event next = events.next(); !(next instanceof SequenceEndEvent); next = events.next()) {
                list.add(value(next, depth + 1));
            }
            return list;
        }
        throw new InvalidTreeException("a value is expected, and not " + event.getEventId(), line(event));
    }

    private Map<String, Object> map(int depth) {
        Map<String, Object> map = new LinkedHashMap<>();
        // What was merged may be overridden.
        Set<String> written = new HashSet<>();
        for (Event key = events.next(); !(key instanceof MappingEndEvent); key = events.next()) {
            if (isMerge(key)) {
                count(key, depth);
                merge(map, events.next(), depth);
                continue;
            }
            String name = key(key, depth);
            Object value = value(events.next(), depth + 1);
            if (!written.add(name)) {
                duplicates.accept(new Twice(name, line(key)));
            }
            put(map, name, value);
        }
        return map;
    }

    private static boolean isMerge(Event key) {
        if (!(key instanceof ScalarEvent scalar) || !scalar.getValue().equals(MERGE)) {
            return false;
        }
        String tag = scalar.getTag().orElse("");
        return tag.equals(MERGE_TAG) || tag.equals("!") || (tag.isEmpty() && scalar.isPlain());
    }

    /** As go-yaml does it: what is merged wins over what comes before it, and the earlier one of several maps over the later ones. */
    private void merge(Map<String, Object> map, Event event, int depth) {
        Object merged = value(event, depth + 1);
        if (merged instanceof Map<?, ?> one) {
            putAll(map, one);
        } else if (merged instanceof List<?> several
                && event instanceof SequenceStartEvent
                && several.stream().allMatch(Map.class::isInstance)) {
            for (int i = several.size() - 1; i >= 0; i--) {
                putAll(map, (Map<?, ?>) several.get(i));
            }
        } else {
            throw new InvalidTreeException("what << merges has to be a map or a list of maps", line(event));
        }
    }

    private static void putAll(Map<String, Object> map, Map<?, ?> merged) {
        merged.forEach((key, value) -> put(map, String.valueOf(key), value));
    }

    private String key(Event event, int depth) {
        Object key = event instanceof ScalarEvent scalar && scalar.getAnchor().isEmpty()
                ? scalarKey(scalar, depth)
                : value(event, depth + 1);
        if (key instanceof Map<?, ?> || key instanceof List<?>) {
            throw new InvalidTreeException("a key is a map or a list; put a template's {{ }} into quotes", line(event));
        }
        return GoScalars.key(key)
                .orElseThrow(() -> new InvalidTreeException(
                        "a key is " + (key == null ? "empty" : "no number of 63 bits") + "; put it into quotes",
                        line(event)));
    }

    /** Not yet as JSON has it: a number with a fraction of nothing is another key than one without. */
    private @Nullable Object scalarKey(ScalarEvent event, int depth) {
        count(event, depth);
        return raw(event);
    }

    private @Nullable Object scalar(ScalarEvent event) {
        try {
            return GoScalars.json(raw(event));
        } catch (InvalidScalarException e) {
            throw new InvalidTreeException(String.valueOf(e.getMessage()), line(event));
        }
    }

    private static @Nullable Object raw(ScalarEvent event) {
        String tag = event.getTag().orElse("");
        boolean untagged = tag.isEmpty();
        if (untagged && !event.isPlain()) {
            return event.getValue();
        }
        try {
            return GoScalars.value(tag, event.getValue());
        } catch (InvalidScalarException e) {
            throw new InvalidTreeException(String.valueOf(e.getMessage()), line(event));
        }
    }

    private Object anchored(AliasEvent alias) {
        Object value = anchors.get(alias.getAlias());
        if (open.contains(alias.getAlias())) {
            throw new InvalidTreeException("the anchor " + alias.getAlias() + " contains itself", line(alias));
        }
        if (value == null) {
            throw new InvalidTreeException("there is no anchor " + alias.getAlias() + " before its alias", line(alias));
        }
        return value;
    }

    private @Nullable Object copy(@Nullable Object value, Event alias, int depth) {
        if (value instanceof Map<?, ?> map) {
            Map<String, Object> copy = new LinkedHashMap<>(map.size() * 2);
            map.forEach((key, item) -> put(copy, String.valueOf(key), counted(item, alias, depth + 1)));
            return copy;
        }
        if (value instanceof List<?> list) {
            List<@Nullable Object> copy = new ArrayList<>(list.size());
            list.forEach(item -> copy.add(counted(item, alias, depth + 1)));
            return copy;
        }
        return value == Nothing.NULL ? null : value;
    }

    private @Nullable Object counted(@Nullable Object value, Event alias, int depth) {
        count(alias, depth);
        return copy(value, alias, depth);
    }

    private void count(Event event, int depth) {
        values++;
        if (values > MAX_VALUES || depth > MAX_DEPTH) {
            throw new InvalidTreeException(
                    "it is too large: a document may have " + MAX_VALUES + " values and a depth of " + MAX_DEPTH,
                    line(event));
        }
    }

    /** JSON has null, and the trees have it, too. */
    @SuppressWarnings("NullAway")
    private static void put(Map<String, Object> map, String key, @Nullable Object value) {
        map.put(key, value);
    }

    private static int line(Event event) {
        return event.getStartMark().map(Mark::getLine).orElse(-1) + 1;
    }
}
