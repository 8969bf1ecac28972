package dev.sro.testkit.server;

/** resourceVersions in text form. */
final class Versions {
    private Versions() {}

    /** Parses the resourceVersion of an object. */
    static long parse(String text) {
        try {
            return Long.parseUnsignedLong(text);
        } catch (NumberFormatException e) {
            throw Errors.internal("resourceVersion: Invalid value: \"" + text + "\": " + syntax(text));
        }
    }

    /** Parses the resourceVersion of a body, about which the server says less. */
    static long parseOfBody(String text) {
        try {
            return Long.parseUnsignedLong(text);
        } catch (NumberFormatException e) {
            throw Errors.internal(syntax(text));
        }
    }

    /** Whether an object says that it has been stored: a number other than nought. What is no number counts for nothing. */
    static boolean isSet(String text) {
        try {
            return Long.parseUnsignedLong(text) != 0;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    private static String syntax(String text) {
        boolean digits = !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
        return "strconv.ParseUint: parsing \"" + text + "\": " + (digits ? "value out of range" : "invalid syntax");
    }
}
