package dev.sro.core.slicing.input;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * A value at a place in a document. Readers of the wrong type report an error to the document and return an empty value
 * ({@code ""}, 0, an empty list), so that reading goes on and all errors come together. Not thread-safe.
 */
public final class InputField {
    private final InputDocument document;
    private final String path;
    private final Node node;

    InputField(InputDocument document, String path, Node node) {
        this.document = document;
        this.path = path;
        this.node = node;
    }

    /** The place of the field, such as {@code models[A30-24GB].profiles[0].size}; empty for the whole document. */
    public String path() {
        return path;
    }

    /** The line that this begins on, from 1. */
    public int line() {
        return position().orElse(0);
    }

    /** Reports that this field is wrong: what it is, what it should be. */
    public void error(String what) {
        document.add(path, position(), what);
    }

    /** Whether an error was reported for this or anything in it. */
    public boolean hasError() {
        int last = node.getEndMark().map(mark -> mark.getLine() + 1).orElse(Integer.MAX_VALUE);
        return document.hasProblem(path, line(), last);
    }

    /** Whether this is a list. */
    public boolean isList() {
        return node instanceof SequenceNode;
    }

    /** Whether this is an object. */
    public boolean isObject() {
        return node instanceof MappingNode;
    }

    /** Whether this is {@code null} or nothing at all. */
    public boolean isNull() {
        return node.getTag().equals(Tag.NULL);
    }

    /** Whether this is a string. */
    public boolean isString() {
        return node.getTag().equals(Tag.STR);
    }

    /** This as an object with no other fields than {@code known}. */
    public InputObject object(String... known) {
        Map<String, InputField> fields = fields();
        for (Map.Entry<String, InputField> entry : fields.entrySet()) {
            if (!List.of(known).contains(entry.getKey())) {
                entry.getValue().error("is not a field here" + Suggestions.hint(entry.getKey(), List.of(known)));
            }
        }
        return new InputObject(this, fields);
    }

    /** This as an object with any field names, in the order of the file. */
    public Map<String, InputField> fields() {
        Map<String, InputField> fields = new LinkedHashMap<>();
        if (!(node instanceof MappingNode mapping)) {
            error("must be an object, not " + found());
            return fields;
        }
        for (NodeTuple tuple : mapping.getValue()) {
            if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
                error("a field name must be a string");
                continue;
            }
            if (hasControls(key.getValue())) {
                error("has a field with control characters or ends of lines in its name");
                continue;
            }
            String name = key.getValue();
            String place = path.isEmpty() ? name : path + "." + name;
            if (fields.containsKey(name)) {
                new InputField(document, place, key).error("is given twice");
            } else {
                fields.put(name, new InputField(document, place, tuple.getValueNode()));
            }
        }
        return fields;
    }

    /** This as a list. Items that are objects with a {@code key} or {@code name} are called by it in paths. */
    public List<InputField> list() {
        List<InputField> items = new ArrayList<>();
        if (!(node instanceof SequenceNode sequence)) {
            error("must be a list, not " + found());
            return items;
        }
        for (Node item : sequence.getValue()) {
            items.add(new InputField(document, path + "[" + label(item).orElse("" + items.size()) + "]", item));
        }
        return items;
    }

    /** This as a list of strings of which none is twice. */
    public List<String> strings() {
        List<String> values = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (InputField item : list()) {
            String value = item.string();
            if (!seen.add(value)) {
                item.error("\"" + value + "\" is listed twice");
            } else {
                values.add(value);
            }
        }
        return values;
    }

    /** This as a list of whole numbers. */
    public List<Integer> integers() {
        return list().stream().map(InputField::integer).toList();
    }

    /** This as an object whose values are whole numbers. */
    public Map<String, Integer> counts() {
        Map<String, Integer> counts = new LinkedHashMap<>();
        fields().forEach((name, value) -> counts.put(name, value.integer()));
        return counts;
    }

    /** This as an object whose values are strings. */
    public Map<String, String> texts() {
        Map<String, String> texts = new LinkedHashMap<>();
        fields().forEach((name, value) -> texts.put(name, value.text()));
        return texts;
    }

    /** This as a string that is not empty. */
    public String string() {
        if (!isString()) {
            error("must be a string, not " + found() + (node instanceof ScalarNode ? "; put it in quotes" : ""));
            return "";
        }
        String value = text();
        if (value.isBlank()) {
            error("must not be empty");
        }
        return value;
    }

    /** This as a string that may be empty; numbers and truth values as they are written. */
    public String text() {
        if (node instanceof ScalarNode && !isNull()) {
            if (hasControls(scalar())) {
                error("has control characters or ends of lines; names and values of these files are words on one line");
            }
            return scalar();
        }
        error("must be a string, not " + found());
        return "";
    }

    /** Reports an error unless this is the string {@code expected}. */
    public void mustBe(String expected) {
        if (!isString() || !text().equals(expected)) {
            error("must be \"" + expected + "\", not " + found());
        }
    }

    /** This as a point in time, such as {@code 2026-01-31T12:00:00Z}; empty, and reported, if it is none. */
    public Optional<Instant> instant() {
        String value = text();
        try {
            return value.isEmpty() ? Optional.empty() : Optional.of(Instant.parse(value));
        } catch (DateTimeParseException e) {
            error("\"" + value + "\" is not a time such as 2026-01-31T12:00:00Z");
            return Optional.empty();
        }
    }

    /** This as a whole number that fits an {@code int}. */
    public int integer() {
        if (node.getTag().equals(Tag.INT)) {
            try {
                return Integer.decode(text().replaceFirst("^\\+|^0+(?=[1-9])", ""));
            } catch (NumberFormatException e) {
                error(text() + " is not a whole number between -2147483648 and 2147483647");
                return 0;
            }
        }
        error("must be a whole number, not " + found());
        return 0;
    }

    /** This as a number. */
    public double number() {
        if (node.getTag().equals(Tag.INT) || node.getTag().equals(Tag.FLOAT)) {
            try {
                double value = Double.parseDouble(text());
                if (Double.isFinite(value)) {
                    return value;
                }
            } catch (NumberFormatException e) {
                // .inf, .nan and numbers of other bases are no amounts.
            }
        }
        error("must be a number, not " + found());
        return 0;
    }

    /** This as {@code true} or {@code false}. */
    public boolean bool() {
        if (!node.getTag().equals(Tag.BOOL)) {
            error("must be true or false, not " + found());
            return false;
        }
        return Boolean.parseBoolean(text());
    }

    private boolean hasControls(String text) {
        return document.isOfWords() && text.chars().anyMatch(Character::isISOControl);
    }

    private Optional<Integer> position() {
        return node.getStartMark().map(mark -> mark.getLine() + 1);
    }

    private String scalar() {
        return ((ScalarNode) node).getValue();
    }

    private String found() {
        if (node instanceof ScalarNode scalar) {
            if (isNull()) {
                return "nothing";
            }
            return isString() ? "the string \"" + scalar.getValue() + "\"" : scalar.getValue();
        }
        return isList() ? "a list" : "an object";
    }

    private static Optional<String> label(Node item) {
        if (item instanceof MappingNode mapping) {
            for (NodeTuple tuple : mapping.getValue()) {
                if (tuple.getKeyNode() instanceof ScalarNode key
                        && tuple.getValueNode() instanceof ScalarNode value
                        && (key.getValue().equals("key") || key.getValue().equals("name"))) {
                    return Optional.of(value.getValue());
                }
            }
        }
        return Optional.empty();
    }
}
