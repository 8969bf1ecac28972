package dev.sro.core.cel;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** An expression that cannot be read or evaluated. */
public final class CelException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int position;
    private final transient List<CelException> mistakes;

    /** Without a position. */
    public CelException(String message) {
        this(message, -1);
    }

    CelException(String message, int position) {
        super(message, null, false, false);
        this.position = position;
        this.mistakes = List.of();
    }

    private CelException(List<CelException> mistakes) {
        super(mistakes.get(0).text(), null, false, false);
        this.position = mistakes.get(0).position();
        this.mistakes = List.copyOf(mistakes);
    }

    /** Several mistakes of one expression, of which this is the first. */
    static CelException of(List<CelException> mistakes) {
        return mistakes.size() == 1 ? mistakes.get(0) : new CelException(mistakes);
    }

    /** All mistakes that were found, in the order of their positions. */
    public List<CelException> mistakes() {
        return mistakes.isEmpty() ? List.of(this) : mistakes;
    }

    static CelException noOverload() {
        return new CelException("no such overload");
    }

    /** Of a field or an element by name of what has none. */
    static CelException noField(@Nullable Object operand, Object key) {
        return new CelException(
                operand instanceof List<?> ? "unsupported index type 'string' in list" : "no such key: " + key);
    }

    /** Offset in the expression; negative if unknown. */
    public int position() {
        return position;
    }

    /** The message; never null. */
    public String text() {
        String message = getMessage();
        return message == null ? "" : message;
    }
}
