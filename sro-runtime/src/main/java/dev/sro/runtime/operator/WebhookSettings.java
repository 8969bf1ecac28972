package dev.sro.runtime.operator;

import dev.sro.core.partition.AdmissionSettings;
import dev.sro.runtime.UnusableInputException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The server of admission webhooks. Immutable.
 *
 * @param host where it listens
 * @param port where it listens; 0 for any free one
 * @param certificates folder with {@code tls.crt}, {@code tls.key} and, unless an annotation has somebody else write it, {@code ca.crt}
 * @param service by which the API server reaches it
 * @param servicePort of the Service
 * @param annotations for webhook configurations
 * @param url by which the API server reaches it where no Service leads to it; empty for the Service
 */
record WebhookSettings(
        String host,
        int port,
        Path certificates,
        String service,
        int servicePort,
        Map<String, String> annotations,
        Optional<String> url) {

    /** Behind a Service. */
    WebhookSettings(
            String host,
            int port,
            Path certificates,
            String service,
            int servicePort,
            Map<String, String> annotations) {
        this(host, port, certificates, service, servicePort, annotations, Optional.empty());
    }

    /**
     * The URL of an option.
     *
     * @param text empty for none
     * @throws UnusableInputException if the API server would refuse it
     */
    static Optional<String> url(String text) {
        if (text.isEmpty()) {
            return Optional.empty();
        }
        try {
            URI url = new URI(text);
            String path = url.getPath();
            if ("https".equals(url.getScheme())
                    && url.getHost() != null
                    && url.getUserInfo() == null
                    && url.getQuery() == null
                    && url.getFragment() == null
                    && (path.isEmpty() || path.equals("/"))) {
                return Optional.of(text.endsWith("/") ? text.substring(0, text.length() - 1) : text);
            }
        } catch (URISyntaxException e) {
            // Is said below.
        }
        throw new UnusableInputException(
                "--webhook-url " + text, "is not https://HOST:PORT without a path, such as https://192.0.2.7:9443");
    }

    WebhookSettings {
        annotations = Map.copyOf(annotations);
    }

    /**
     * As the API server reaches it.
     *
     * @param namespace of the Service
     * @param caBundle as base64 of PEM; empty where an annotation has somebody else write it
     */
    AdmissionSettings.Webhook target(String namespace, Optional<String> caBundle) {
        return new AdmissionSettings.Webhook(namespace, service, servicePort, caBundle, annotations, url);
    }

    /** Somebody who is asked by annotation to write the bundle must not find another one there. */
    Optional<Path> caFile() {
        return annotations.isEmpty() ? Optional.of(certificates.resolve("ca.crt")) : Optional.empty();
    }
}
