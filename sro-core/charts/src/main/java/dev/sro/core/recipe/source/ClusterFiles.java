package dev.sro.core.recipe.source;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/** Port: what ConfigMaps and Secrets hold, read when somebody asks. May block; implementations are thread-safe. */
public interface ClusterFiles {

    /**
     * Contents by key, data and binaryData together; empty if there is no such ConfigMap.
     *
     * @throws IOException if it cannot be read; the message says what to do
     */
    Optional<Map<String, byte[]>> configMap(String namespace, String name) throws IOException;

    /**
     * Contents by key; empty if there is no such Secret.
     *
     * @throws IOException if it cannot be read; the message says what to do
     */
    Optional<Map<String, byte[]>> secret(String namespace, String name) throws IOException;
}
