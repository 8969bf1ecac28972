package dev.sro.core.recipe.source;

import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Reads an index.yaml as a stream of events: large repositories have files of more than 20 MB, of which little is needed. For
 * one use.
 */
final class IndexReader {

    /** Three times the largest public index. */
    static final int MAX_BYTES = 64 << 20;

    private static final int MAX_VERSIONS = 500_000;

    /** The parser becomes slow with depth. */
    private static final int MAX_DEPTH = 100;

    private static final LoadSettings SETTINGS =
            LoadSettings.builder().setCodePointLimit(MAX_BYTES).build();

    private final String source;
    private final byte[] yaml;
    private final Iterator<Event> events;
    private final Map<String, List<RepositoryIndex.Entry>> entries = new HashMap<>();
    private boolean versioned;
    private int versions;

    IndexReader(String source, byte[] yaml) {
        this.source = source;
        this.yaml = yaml;
        this.events = new Parse(SETTINGS)
                .parseInputStream(new ByteArrayInputStream(yaml))
                .iterator();
    }

    /** Versions by the name of the chart. */
    Map<String, List<RepositoryIndex.Entry>> read() {
        if (yaml.length > MAX_BYTES) {
            throw RepositoryIndex.invalid(source, "it has more than " + MAX_BYTES + " bytes");
        }
        try {
            Event event = events.next();
            while (event.getEventId() == Event.ID.StreamStart || event.getEventId() == Event.ID.DocumentStart) {
                event = events.next();
            }
            map(event, "the file", this::top);
        } catch (YamlEngineException e) {
            throw RepositoryIndex.invalid(source, firstLine(String.valueOf(e.getMessage())));
        }
        if (!versioned) {
            throw RepositoryIndex.invalid(source, "it has no apiVersion");
        }
        return entries;
    }

    private void top(String key) {
        Event event = events.next();
        switch (key) {
            case "apiVersion" -> versioned = !text(event, key).isEmpty();
            case "entries" -> {
                if (!isEmpty(event)) {
                    map(event, key, this::chart);
                }
            }
            default -> skip(event);
        }
    }

    private void chart(String name) {
        Event event = events.next();
        List<RepositoryIndex.Entry> found = new ArrayList<>();
        if (!isEmpty(event)) {
            list(event, "entries." + name, version -> found.add(entry(version, name)));
        }
        entries.put(name, List.copyOf(found));
    }

    private RepositoryIndex.Entry entry(Event event, String name) {
        versions++;
        if (versions > MAX_VERSIONS) {
            throw RepositoryIndex.invalid(source, "it has more than " + MAX_VERSIONS + " versions of charts");
        }
        String[] scalars = {"", ""};
        List<String> urls = new ArrayList<>();
        map(event, "entries." + name + "[]", key -> {
            Event value = events.next();
            switch (key) {
                case "version" -> scalars[0] = text(value, key);
                case "digest" -> scalars[1] = isEmpty(value) ? "" : text(value, key);
                case "urls" -> {
                    if (!isEmpty(value)) {
                        list(value, key, url -> urls.add(text(url, key)));
                    }
                }
                default -> skip(value);
            }
        });
        return new RepositoryIndex.Entry(scalars[0], urls, scalars[1]);
    }

    private void map(Event start, String what, Consumer<String> onKey) {
        if (start.getEventId() != Event.ID.MappingStart) {
            throw RepositoryIndex.invalid(source, what + " must be a map");
        }
        for (Event key = events.next(); key.getEventId() != Event.ID.MappingEnd; key = events.next()) {
            onKey.accept(text(key, "a key of " + what));
        }
    }

    private void list(Event start, String what, Consumer<Event> onItem) {
        if (start.getEventId() != Event.ID.SequenceStart) {
            throw RepositoryIndex.invalid(source, what + " must be a list");
        }
        for (Event item = events.next(); item.getEventId() != Event.ID.SequenceEnd; item = events.next()) {
            onItem.accept(item);
        }
    }

    private String text(Event event, String what) {
        if (event instanceof ScalarEvent scalar) {
            return scalar.getValue();
        }
        throw RepositoryIndex.invalid(source, what + " must be text");
    }

    private static boolean isEmpty(Event event) {
        return event instanceof ScalarEvent scalar
                && scalar.isPlain()
                && List.of("", "~", "null").contains(scalar.getValue());
    }

    /** To the end of what began with the event. */
    private void skip(Event start) {
        int open = 0;
        for (Event event = start; ; event = events.next()) {
            switch (event.getEventId()) {
                case MappingStart, SequenceStart -> open++;
                case MappingEnd, SequenceEnd -> open--;
                default -> {}
            }
            if (open > MAX_DEPTH) {
                throw RepositoryIndex.invalid(source, "it is deeper than " + MAX_DEPTH);
            }
            if (open == 0) {
                return;
            }
        }
    }

    private static String firstLine(String message) {
        return message.lines().findFirst().orElse("not YAML");
    }
}
