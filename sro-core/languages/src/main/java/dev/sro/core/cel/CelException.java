package dev.sro.core.cel;

/** An expression that cannot be read or evaluated. */
public final class CelException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int position;

    /** Without a position. */
    public CelException(String message) {
        this(message, -1);
    }

    CelException(String message, int position) {
        super(message, null, false, false);
        this.position = position;
    }

    static CelException noOverload() {
        return new CelException("no such overload");
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
