package dev.sro.core.client.source;

import dev.sro.core.recipe.source.ClusterFiles;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads ConfigMaps and Secrets one by one, when somebody asks: nothing is listed or watched for it. Thread-safe. */
final class ClientFiles implements ClusterFiles {

    private static final int FORBIDDEN = 403;

    private final KubernetesClient client;

    ClientFiles(KubernetesClient client) {
        this.client = client;
    }

    @Override
    public Optional<Map<String, byte[]>> configMap(String namespace, String name) throws IOException {
        ConfigMap map = get(
                "configmaps",
                namespace,
                name,
                () -> client.configMaps().inNamespace(namespace).withName(name).get());
        return map == null ? Optional.empty() : Optional.of(contents(map.getData(), map.getBinaryData()));
    }

    @Override
    public Optional<Map<String, byte[]>> secret(String namespace, String name) throws IOException {
        Secret secret = get(
                "secrets",
                namespace,
                name,
                () -> client.secrets().inNamespace(namespace).withName(name).get());
        return secret == null ? Optional.empty() : Optional.of(contents(secret.getStringData(), secret.getData()));
    }

    private static Map<String, byte[]> contents(
            @Nullable Map<String, String> texts, @Nullable Map<String, String> base64) {
        Map<String, byte[]> contents = new HashMap<>();
        if (texts != null) {
            texts.forEach((key, text) -> contents.put(key, text.getBytes(StandardCharsets.UTF_8)));
        }
        if (base64 != null) {
            base64.forEach((key, text) -> contents.put(key, Base64.getDecoder().decode(text)));
        }
        return contents;
    }

    private static <T> @Nullable T get(String resource, String namespace, String name, Supplier<@Nullable T> call)
            throws IOException {
        try {
            return call.get();
        } catch (KubernetesClientException e) {
            String what = resource + " \"" + name + "\" in namespace " + namespace;
            if (e.getCode() == FORBIDDEN) {
                throw new IOException(
                        what + " may not be read: give SRO's service account the verb get for it, by a Role with"
                                + " resourceNames in that namespace, as \"sro rbac --for FILE --apply\" does",
                        e);
            }
            throw new IOException(what + " cannot be read: " + e.getMessage(), e);
        }
    }
}
