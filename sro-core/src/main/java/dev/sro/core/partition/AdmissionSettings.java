package dev.sro.core.partition;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How pods that ask for a device are changed before they are stored. Immutable.
 *
 * @param excludedNamespaces whose pods are never changed, beside kube-system
 * @param webhook where one answers; empty when none does
 */
public record AdmissionSettings(List<String> excludedNamespaces, Optional<Webhook> webhook) {

    /** Without a webhook, in all namespaces but kube-system. */
    public static final AdmissionSettings DEFAULTS = new AdmissionSettings(List.of(), Optional.empty());

    /** Copies the list. */
    public AdmissionSettings {
        excludedNamespaces = List.copyOf(excludedNamespaces);
    }

    /**
     * A server of admission webhooks, as the API server reaches it.
     *
     * @param namespace of the Service
     * @param service its name
     * @param port of the Service
     * @param caBundle certificates, as base64 of PEM, by which the API server knows it; empty where the annotations make somebody else
     *     write them, or the API server knows it anyway
     * @param annotations for webhook configurations: {@code cert-manager.io/inject-ca-from} and the like
     * @param url {@code https://host:port}, where no Service leads to it; empty for the Service
     */
    public record Webhook(
            String namespace,
            String service,
            int port,
            Optional<String> caBundle,
            Map<String, String> annotations,
            Optional<String> url) {

        /** Behind a Service. */
        public Webhook(
                String namespace,
                String service,
                int port,
                Optional<String> caBundle,
                Map<String, String> annotations) {
            this(namespace, service, port, caBundle, annotations, Optional.empty());
        }

        /** Copies the map. */
        public Webhook {
            annotations = Map.copyOf(annotations);
        }
    }
}
