package dev.sro.core.placement.extender;

import dev.sro.core.placement.NodeAnswers;
import dev.sro.core.placement.NodeNameList;
import java.util.Arrays;

/**
 * Names that a scheduler was told, as they were written: it asks for scores of these next, in their order and, as it is Go's, in these very bytes. Immutable, as
 * nobody writes to the array.
 */
final class KnownNames {
    private final NodeAnswers answers;
    private final byte[] text;
    private final int from;
    private final int to;

    /**
     * Those that answered.
     *
     * @param text that holds their names as an array of JSON
     * @param from where that begins
     * @param to where it has ended
     */
    KnownNames(NodeAnswers answers, byte[] text, int from, int to) {
        this.answers = answers;
        this.text = text;
        this.from = from;
        this.to = to;
    }

    NodeAnswers answers() {
        return answers;
    }

    NodeNameList names() {
        return answers.names();
    }

    int length() {
        return to - from;
    }

    boolean isAt(byte[] other, int at) {
        return other.length - at >= length() && Arrays.equals(other, at, at + length(), text, from, to);
    }
}
