package dev.sro.core.placement;

import dev.sro.core.yaml.Json;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Names of nodes as a scheduler sent them: places in a text in UTF-8, with what they hash to. A scheduler names thousands of nodes for each pod, so that
 * objects for their names would cost more than the decision. Immutable as long as nobody writes to the text.
 */
public final class NodeNameList {
    private static final int FEWEST = 16;
    /** Shorter than names are with their quotes and comma, as a rule. */
    private static final int USUAL_LENGTH = 12;

    private final byte[] text;
    private final int[] from;
    private final int[] to;
    private final int[] hashes;
    private final int size;
    /** Where the text goes on after them. */
    private final int end;

    private final boolean plain;

    private NodeNameList(byte[] text, int[] from, int[] to, int[] hashes, int size, int end, boolean plain) {
        this.text = text;
        this.from = from;
        this.to = to;
        this.hashes = hashes;
        this.size = size;
        this.end = end;
        this.plain = plain;
    }

    /** Of these names, in their order. */
    public static NodeNameList of(Collection<String> names) {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        int[] from = new int[names.size()];
        int[] to = new int[names.size()];
        int[] hashes = new int[names.size()];
        int i = 0;
        for (String name : names) {
            byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
            from[i] = text.size();
            text.writeBytes(bytes);
            to[i] = text.size();
            hashes[i++] = TextWords.hash(bytes);
        }
        byte[] bytes = text.toByteArray();
        return new NodeNameList(bytes, from, to, hashes, i, bytes.length, TextWords.isPlain(bytes));
    }

    /**
     * Reads an array of JSON as Go writes it. Empty if it is another one: with space between names, with escapes, with something that is no text.
     *
     * @param text is kept, and nobody may write to it any more
     * @param at where the array begins
     */
    public static Optional<NodeNameList> read(byte[] text, int at) {
        if (at + 1 >= text.length || text[at] != '[') {
            return Optional.empty();
        }
        if (text[at + 1] == ']') {
            return Optional.of(new NodeNameList(text, new int[0], new int[0], new int[0], 0, at + 2, true));
        }
        int[] from = new int[Math.max(FEWEST, (text.length - at) / USUAL_LENGTH)];
        int[] to = new int[from.length];
        int[] hashes = new int[from.length];
        int size = 0;
        int next = at + 1;
        TextWords words = new TextWords(text);
        while (next < text.length && text[next] == '"') {
            if (size == from.length) {
                from = Arrays.copyOf(from, 2 * size);
                to = Arrays.copyOf(to, 2 * size);
                hashes = Arrays.copyOf(hashes, 2 * size);
            }
            int quote = words.hashUpToQuote(next + 1);
            if (quote < 0 || quote + 1 >= text.length) {
                return Optional.empty();
            }
            from[size] = next + 1;
            to[size] = quote;
            hashes[size++] = words.hash();
            next = quote + 2;
            if (text[quote + 1] == ']') {
                return Optional.of(new NodeNameList(text, from, to, hashes, size, next, true));
            }
            if (text[quote + 1] != ',') {
                return Optional.empty();
            }
        }
        return Optional.empty();
    }

    /** Some of them. */
    NodeNameList part(int[] chosen) {
        int[] partFrom = new int[chosen.length];
        int[] partTo = new int[chosen.length];
        int[] partHashes = new int[chosen.length];
        for (int i = 0; i < chosen.length; i++) {
            partFrom[i] = from[chosen[i]];
            partTo[i] = to[chosen[i]];
            partHashes[i] = hashes[chosen[i]];
        }
        return new NodeNameList(text, partFrom, partTo, partHashes, chosen.length, end, plain);
    }

    /** How many they are. */
    public int size() {
        return size;
    }

    /** The same names as a text of JSON has them between its quotes: nearly always as they are. */
    public NodeNameList inJson() {
        return plain
                ? this
                : of(names().stream()
                        .map(Json::text)
                        .map(quoted -> quoted.substring(1, quoted.length() - 1))
                        .toList());
    }

    /** Where the text that they were read from goes on. */
    public int end() {
        return end;
    }

    /** Bytes of a name. */
    public int length(int i) {
        return to[i] - from[i];
    }

    /** Copies a name in UTF-8. */
    public void copy(int i, byte[] target, int at) {
        System.arraycopy(text, from[i], target, at, to[i] - from[i]);
    }

    /** A name. */
    public String name(int i) {
        return new String(text, from[i], to[i] - from[i], StandardCharsets.UTF_8);
    }

    /** All names, in their order. */
    public List<String> names() {
        List<String> names = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            names.add(name(i));
        }
        return names;
    }

    int hash(int i) {
        return hashes[i];
    }

    boolean is(int i, byte[] name) {
        return TextWords.equal(text, from[i], to[i], name);
    }
}
