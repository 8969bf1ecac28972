package dev.sro.core.release;

import dev.sro.core.yaml.Json;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** The form in which Helm keeps a release in a Secret: JSON, gzip, base64, and base64 again as every Secret. Stateless. */
final class Payload {

    /** Far above what fits into a Secret, compressed. */
    private static final int MAX_BYTES = 64 << 20;

    private Payload() {}

    static String encode(Map<String, ?> release) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(bytes)) {
            zip.write(Json.text(release).getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("in memory", e);
        }
        return Base64.getEncoder().encodeToString(Base64.getEncoder().encode(bytes.toByteArray()));
    }

    /** Empty for what is no release. */
    static Map<String, Object> decode(String data) {
        Map<String, Object> tree = new TreeMap<>();
        try {
            byte[] inner = Base64.getDecoder().decode(Base64.getDecoder().decode(data));
            try (GZIPInputStream zip = new GZIPInputStream(new ByteArrayInputStream(inner))) {
                String json = new String(zip.readNBytes(MAX_BYTES), StandardCharsets.UTF_8);
                if (Json.read(json) instanceof Map<?, ?> map) {
                    map.forEach((key, value) -> put(tree, String.valueOf(key), value));
                }
            }
        } catch (IOException | IllegalArgumentException | IllegalStateException e) {
            // Somebody else's, or cut off: as good as none.
            tree.clear();
        }
        return tree;
    }

    private static void put(Map<String, Object> tree, String key, Object value) {
        tree.put(key, value);
    }
}
