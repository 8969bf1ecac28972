package dev.sro.testkit.schema;

/** A value that does not fit the type of its field, in the words of the server's decoders. */
public final class TypeFault extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String words;
    private final String restored;

    /** A fault that is said in the same way everywhere. */
    public TypeFault(String text) {
        this(text, text, text);
    }

    /**
     * A fault.
     *
     * @param text as said of a body
     * @param words as said of what an apply made
     * @param restored as said of what a strategic merge patch made
     */
    TypeFault(String text, String words, String restored) {
        super(text, null, false, false);
        this.words = words;
        this.restored = restored;
    }

    /** The fault as it is said of a body. */
    public String text() {
        return String.valueOf(getMessage());
    }

    /** The fault as it is said of the result of an apply. */
    public String words() {
        return words;
    }

    /** The fault as it is said of the result of a strategic merge patch. */
    public String restored() {
        return restored;
    }
}
