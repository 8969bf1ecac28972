package dev.sro.core.recipe.chart;

/** Writes texts as Go's templates read them. Stateless. */
final class GoQuote {

    private static final char DELETE = 0x7f;

    private GoQuote() {}

    /** A literal with its quotes. */
    static String quote(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ' || c == DELETE) {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.append('"').toString();
    }
}
