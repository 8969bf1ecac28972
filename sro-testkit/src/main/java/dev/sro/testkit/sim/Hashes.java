package dev.sro.testkit.sim;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** Hashes of pod templates, and the random ends of generated names. */
final class Hashes {
    /** The characters of generated names: no vowels, and nothing that is easily mistaken. */
    private static final String SAFE = "bcdfghjklmnpqrstvwxz2456789";

    private final Random random;

    Hashes(long seed) {
        this.random = new Random(seed);
    }

    /** Five random characters. */
    String suffix() {
        StringBuilder sb = new StringBuilder();
        for (int i = 0; i < 5; i++) {
            sb.append(SAFE.charAt(random.nextInt(SAFE.length())));
        }
        return sb.toString();
    }

    /** A short hash of a JSON value that does not depend on the order of fields. */
    static String compute(JsonNode value) {
        return encode(canonical(value));
    }

    /** The hash of the data of a ControllerRevision without collisions; for StatefulSets it is the one of the real controller. */
    static String ofRevision(JsonNode data) {
        return encode(canonical(data) + "0");
    }

    /** FNV-1, 32 bits, its decimal digits in safe characters. */
    private static String encode(String text) {
        int hash = 0x811c9dc5;
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash * 0x01000193) ^ (b & 0xff);
        }
        StringBuilder sb = new StringBuilder();
        for (char digit : Integer.toUnsignedString(hash).toCharArray()) {
            sb.append(SAFE.charAt(digit % SAFE.length()));
        }
        return sb.toString();
    }

    /** Compact JSON with the fields of objects in order of their names. */
    static String canonical(JsonNode value) {
        StringBuilder sb = new StringBuilder();
        canonical(value, sb);
        return sb.toString();
    }

    private static void canonical(JsonNode value, StringBuilder sb) {
        if (value.isObject()) {
            Map<String, JsonNode> sorted = new TreeMap<>();
            value.properties().forEach(e -> sorted.put(e.getKey(), e.getValue()));
            String separator = "{";
            for (Map.Entry<String, JsonNode> e : sorted.entrySet()) {
                sb.append(separator).append('"').append(e.getKey()).append("\":");
                canonical(e.getValue(), sb);
                separator = ",";
            }
            sb.append(sorted.isEmpty() ? "{}" : "}");
        } else if (value.isArray()) {
            String separator = "[";
            for (JsonNode item : value) {
                sb.append(separator);
                canonical(item, sb);
                separator = ",";
            }
            sb.append(value.isEmpty() ? "[]" : "]");
        } else {
            sb.append(value);
        }
    }
}
