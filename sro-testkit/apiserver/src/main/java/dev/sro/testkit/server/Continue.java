package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** The token by which a list goes on where the page before ended, at the same version. */
record Continue(long version, Key after) {
    String encode() {
        ObjectNode token = Json.object()
                .put("v", "meta.k8s.io/v1")
                .put("rv", version)
                .put("start", after.namespace() + "/" + after.name() + "\u0000");
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Json.bytes(token));
    }

    static @Nullable Continue decode(@Nullable String text) {
        if (text == null || text.isEmpty()) {
            return null;
        }
        byte[] bytes;
        try {
            bytes = Base64.getUrlDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            int at = firstIllegal(text);
            throw Errors.badRequest(
                    "invalid continue token: continue key is not valid: illegal base64 data at input byte " + at);
        }
        try {
            JsonNode token = Json.MAPPER.readTree(new String(bytes, StandardCharsets.UTF_8));
            String start = token.path("start").asText();
            int slash = start.indexOf('/');
            String name = start.substring(slash + 1).replace("\u0000", "");
            return new Continue(token.path("rv").asLong(), new Key(start.substring(0, Math.max(slash, 0)), name));
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            throw Errors.badRequest("invalid continue token: continue key is not valid: " + e.getMessage());
        }
    }

    private static int firstIllegal(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean legal = c == '-' || c == '_' || (c < 128 && Character.isLetterOrDigit(c));
            if (!legal) {
                return i;
            }
        }
        return text.length() / 4 * 4;
    }
}
