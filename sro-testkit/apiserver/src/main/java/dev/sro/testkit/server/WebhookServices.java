package dev.sro.testkit.server;

import java.net.URI;
import java.util.Optional;

/** Says where the webhook of a Service really listens: there is no network behind the Services of an embedded cluster. */
@FunctionalInterface
public interface WebhookServices {
    /**
     * A Service that a webhook configuration names.
     *
     * @param namespace of the Service
     * @param name of the Service
     * @param port of the Service
     */
    record Service(String namespace, String name, int port) {}

    /**
     * The base of the webhook's URL, for instance {@code https://127.0.0.1:8443}; path and query come from the configuration. Its
     * certificate must be valid for {@code name.namespace.svc}, as in a cluster. Called from any thread.
     *
     * @return empty if nothing listens there: calls are then refused as those to a Service without endpoints
     */
    Optional<URI> find(Service service);
}
