package dev.sro.core.recipe.gotemplate;

import java.util.Locale;

/** The functions {@code html}, {@code js} and {@code urlquery}. */
final class Escapes {
    private Escapes() {}

    static String html(String text) {
        StringBuilder out = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '\0' -> out.append('\ufffd');
                case '"' -> out.append("&#34;");
                case '\'' -> out.append("&#39;");
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                default -> out.append(c);
            }
        }
        return out.toString();
    }

    static String js(String text) {
        StringBuilder out = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); ) {
            int c = GoText.codePointAt(text, i);
            i += Character.charCount(c);
            if (c == '\\' || c == '\'' || c == '"') {
                out.append('\\').append((char) c);
            } else if (c < ' ' || c == '<' || c == '>' || c == '&' || c == '=' || (c >= 0x80 && !GoText.isPrint(c))) {
                out.append(String.format(Locale.ROOT, "\\u%04X", c));
            } else {
                out.appendCodePoint(c);
            }
        }
        return out.toString();
    }

    static String urlQuery(String text) {
        StringBuilder out = new StringBuilder(text.length() + 16);
        for (byte each : GoText.bytes(text)) {
            char c = (char) (each & 0xff);
            boolean plain = (c >= 'a' && c <= 'z')
                    || (c >= 'A' && c <= 'Z')
                    || (c >= '0' && c <= '9')
                    || "-_.~".indexOf(c) >= 0;
            if (plain) {
                out.append(c);
            } else if (c == ' ') {
                out.append('+');
            } else {
                out.append('%');
                out.append("0123456789ABCDEF".charAt(c >> 4));
                out.append("0123456789ABCDEF".charAt(c & 0xf));
            }
        }
        return out.toString();
    }
}
