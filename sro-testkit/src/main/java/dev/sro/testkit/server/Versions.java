package dev.sro.testkit.server;

/** resourceVersions in text form. */
final class Versions {
    private Versions() {}

    /** Parses the resourceVersion of an object. */
    static long parse(String text) {
        try {
            return Long.parseUnsignedLong(text);
        } catch (NumberFormatException e) {
            throw invalid(text, e);
        }
    }

    private static ApiException invalid(String text, NumberFormatException cause) {
        ApiException refusal = Errors.internal("resourceVersion: Invalid value: \"" + text
                + "\": strconv.ParseUint: parsing \"" + text + "\": invalid syntax");
        refusal.addSuppressed(cause);
        return refusal;
    }
}
