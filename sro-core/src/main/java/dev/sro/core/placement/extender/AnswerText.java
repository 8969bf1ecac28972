package dev.sro.core.placement.extender;

import dev.sro.core.placement.NodeNameList;
import dev.sro.core.yaml.Json;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** JSON that grows, as Go writes it, without space. Not thread-safe. */
final class AnswerText {
    private static final int SMALLEST = 64;

    private byte[] text;
    private int length;

    /** @param expected bytes */
    AnswerText(int expected) {
        this.text = new byte[Math.max(SMALLEST, expected)];
    }

    int length() {
        return length;
    }

    /** What is JSON already. */
    AnswerText add(byte[] part) {
        room(part.length);
        append(part);
        return this;
    }

    AnswerText add(char ascii) {
        room(1);
        text[length++] = (byte) ascii;
        return this;
    }

    /** A name of a list with what is around it, its quotes among that. */
    AnswerText name(byte[] before, NodeNameList names, int place, byte[] after) {
        int bytes = names.length(place);
        room(before.length + bytes + after.length);
        append(before);
        names.copy(place, text, length);
        length += bytes;
        append(after);
        return this;
    }

    /** The same after a comma, but for the first one. */
    AnswerText next(boolean first, byte[] before, NodeNameList names, int place, byte[] after) {
        return (first ? this : add(',')).name(before, names, place, after);
    }

    byte[] bytes() {
        return Arrays.copyOf(text, length);
    }

    /** A text with its quotes. */
    static byte[] quoted(String value) {
        return Json.text(value).getBytes(StandardCharsets.UTF_8);
    }

    /** The quote behind a name that is a key, and a text that is its value. */
    static byte[] quotedBehindName(String value) {
        return ("\":" + Json.text(value)).getBytes(StandardCharsets.UTF_8);
    }

    private void append(byte[] part) {
        System.arraycopy(part, 0, text, length, part.length);
        length += part.length;
    }

    private void room(int more) {
        if (text.length - length < more) {
            text = Arrays.copyOf(text, Math.max(2 * text.length, length + more));
        }
    }
}
