package dev.sro.core.client.source;

import dev.sro.core.engine.port.LogReader;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.Reader;
import java.net.HttpURLConnection;

/** Reads logs by one GET of {@code pods/log} each. Thread-safe. */
public final class ClientLogs implements LogReader {

    private final KubernetesClient client;

    public ClientLogs(KubernetesClient client) {
        this.client = client;
    }

    @Override
    public String tail(String namespace, String pod, String container) throws IOException {
        try (Reader log = client.pods()
                .inNamespace(namespace)
                .withName(pod)
                .inContainer(container)
                .limitBytes(MAX_BYTES)
                .tailingLines(MAX_LINES)
                .getLogReader()) {
            // The limit again: a proxy in between need not know it.
            char[] text = new char[MAX_BYTES];
            int length = 0;
            int more = log.read(text, 0, text.length);
            while (more > 0) {
                length += more;
                more = log.read(text, length, text.length - length);
            }
            return new String(text, 0, length);
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_FORBIDDEN) {
                throw new ForbiddenException(String.valueOf(e.getMessage()));
            }
            throw new IOException(e.getMessage(), e);
        }
    }
}
