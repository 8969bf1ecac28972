package dev.sro.plugins.nvidia;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Pieces of manifests as maps and lists. Stateless. */
final class Values {

    private static final int DIGEST = 16;

    private Values() {}

    /** The first 16 hexadecimal digits of the SHA-256 of a text. */
    static String digest(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest).substring(0, DIGEST);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** An environment variable. */
    static Map<String, Object> env(String name, String value) {
        return map("name", name, "value", value);
    }

    /** An environment variable from a field of the pod. */
    static Map<String, Object> field(String name, String path) {
        return map("name", name, "valueFrom", map("fieldRef", map("fieldPath", path)));
    }

    /** Variables by name and value, in this order. */
    static List<Object> environment(String... namesAndValues) {
        List<Object> list = new ArrayList<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            list.add(env(namesAndValues[i], namesAndValues[i + 1]));
        }
        return list;
    }

    /** A map by key and value, in this order. */
    static Map<String, Object> map(Object... keysAndValues) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            map.put(String.valueOf(keysAndValues[i]), keysAndValues[i + 1]);
        }
        return map;
    }

    static Map<String, Object> mount(String volume, String path) {
        return map("name", volume, "mountPath", path);
    }

    static Map<String, Object> hostPath(String volume, String path, String type) {
        return map("name", volume, "hostPath", type.isEmpty() ? map("path", path) : map("path", path, "type", type));
    }

    static Map<String, Object> configMap(String volume, String name) {
        return map("name", volume, "configMap", map("name", name));
    }
}
