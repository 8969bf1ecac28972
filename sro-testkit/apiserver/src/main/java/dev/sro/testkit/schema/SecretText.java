package dev.sro.testkit.schema;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Content of Secrets that has to be JSON. Stateless. */
final class SecretText {
    private static final ObjectMapper JSON = new ObjectMapper();

    private SecretText() {}

    /** What is wrong with data in base64, in the words of the server's language; null if nothing is that is known here. */
    static @Nullable String jsonFault(String data) {
        String text;
        try {
            text = new String(Base64.getDecoder().decode(data), StandardCharsets.ISO_8859_1);
        } catch (IllegalArgumentException notBase64) {
            return null;
        }
        String begun = text.stripLeading();
        if (begun.isEmpty()) {
            return "unexpected end of JSON input";
        }
        char first = begun.charAt(0);
        if ("{[\"-tfn".indexOf(first) < 0 && (first < '0' || first > '9')) {
            return "invalid character " + quoted(first) + " looking for beginning of value";
        }
        try {
            JSON.readTree(begun);
            return first == '{'
                    ? null
                    : "json: cannot unmarshal " + form(first) + " into Go value of type map[string]interface {}";
        } catch (JsonProcessingException e) {
            // Where the fault is, is said in too many ways.
            return "unexpected end of JSON input";
        }
    }

    private static String form(char first) {
        return switch (first) {
            case '[' -> "array";
            case '"' -> "string";
            case 't', 'f' -> "bool";
            default -> "number";
        };
    }

    private static String quoted(char c) {
        if (c == '\'') {
            return "'\\\\''";
        }
        return c < ' ' || c == 127 || (c > 127 && c < 0xA1)
                ? String.format(Locale.ROOT, "'\\x%02x'", (int) c)
                : "'" + c + "'";
    }
}
