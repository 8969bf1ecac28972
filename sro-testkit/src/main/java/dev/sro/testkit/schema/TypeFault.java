package dev.sro.testkit.schema;

/** A value that does not fit the type of its field, in the words of the server's JSON decoder. */
public final class TypeFault extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** A fault in words. */
    public TypeFault(String message) {
        super(message, null, false, false);
    }

    /** The fault in words. */
    public String text() {
        return String.valueOf(getMessage());
    }
}
