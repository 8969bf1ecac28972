package dev.sro.core.recipe.source;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Secrets of these tests. */
final class Secrets implements ClusterFiles {
    private final Map<String, Map<String, byte[]>> secrets = new HashMap<>();

    /** In namespace ns. */
    Secrets put(String name, String key, String value) {
        secrets.computeIfAbsent("ns/" + name, unused -> new HashMap<>())
                .put(key, value.getBytes(StandardCharsets.UTF_8));
        return this;
    }

    @Override
    public Optional<Map<String, byte[]>> configMap(String namespace, String name) {
        throw new AssertionError("not asked for here");
    }

    @Override
    public Optional<Map<String, byte[]>> secret(String namespace, String name) {
        return Optional.ofNullable(secrets.get(namespace + "/" + name));
    }
}
