package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Furnishes new namespaces with a service account and the root certificate, and empties those that are deleted. */
final class NamespaceController implements Controller {
    private static final String ROOT_CA = "-----BEGIN CERTIFICATE-----\nembedded\n-----END CERTIFICATE-----\n";

    private final ServerParts parts;
    private final ClusterApi api;
    private final NameQueue queue;
    private final Set<String> emptying = new LinkedHashSet<>();

    NamespaceController(ServerParts parts, ClusterApi api) {
        this.parts = parts;
        this.queue = new NameQueue(parts.clock);
        this.api = api;
        api.subscribe(null, this::observe);
    }

    private void observe(Change change) {
        if (change.type().equals(Gvr.NAMESPACES)) {
            queue.add(Json.name(change.object()));
        } else if (change.kind() == Change.Kind.DELETED) {
            String namespace = Json.namespace(change.object());
            boolean furniture =
                    change.type().equals(Gvr.SERVICEACCOUNTS) || change.type().equals(Gvr.CONFIGMAPS);
            if (!namespace.isEmpty() && (emptying.contains(namespace) || furniture)) {
                queue.add(namespace);
            }
        }
    }

    @Override
    public boolean work() {
        return queue.drain(this::handle);
    }

    private void handle(String name) {
        Optional<ObjectNode> namespace = api.get(Gvr.NAMESPACES, null, name);
        if (namespace.isEmpty()) {
            parts.store.locked(() -> emptying.remove(name));
        } else if (Json.terminating(namespace.get())) {
            Instant due = Instant.parse(Json.text(namespace.get(), "metadata", "deletionTimestamp"))
                    .plus(parts.namespaceGrace);
            if (parts.clock.instant().isBefore(due)) {
                parts.clock.schedule(due, () -> queue.add(name));
                return;
            }
            parts.store.locked(() -> emptying.add(name));
            empty(name);
        } else {
            furnish(name);
        }
    }

    private void furnish(String namespace) {
        if (api.get(Gvr.SERVICEACCOUNTS, namespace, "default").isEmpty()) {
            api.create(Gvr.SERVICEACCOUNTS, named(namespace, "default"));
        }
        if (api.get(Gvr.CONFIGMAPS, namespace, "kube-root-ca.crt").isEmpty()) {
            ObjectNode ca = named(namespace, "kube-root-ca.crt");
            Json.metadata(ca)
                    .putObject("annotations")
                    .put(
                            "kubernetes.io/description",
                            "Contains a CA bundle that can be used to verify the kube-apiserver when using internal"
                                    + " endpoints such as the internal service IP or kubernetes.default.svc. No other"
                                    + " usage is guaranteed across distributions of Kubernetes clusters.");
            ca.putObject("data").put("ca.crt", ROOT_CA);
            api.create(Gvr.CONFIGMAPS, ca);
        }
    }

    private static ObjectNode named(String namespace, String name) {
        ObjectNode object = Json.object();
        object.putObject("metadata").put("name", name).put("namespace", namespace);
        return object;
    }

    /** Deletes what is in the namespace; when nothing is left, takes the namespace's own finalizer off. */
    private void empty(String namespace) {
        NamespaceConditions conditions = new NamespaceConditions(
                parts.clock.instant().truncatedTo(ChronoUnit.SECONDS).toString());
        parts.store.locked(() -> {
            for (Table table : List.copyOf(parts.store.tables())) {
                for (Stored stored : List.copyOf(table.in(namespace))) {
                    if (remove(table.type, namespace, stored.object())) {
                        conditions.remains(table.type, stored.object());
                    }
                }
            }
            return true;
        });
        api.update(Gvr.NAMESPACES, null, namespace, "status", conditions::write);
        if (conditions.nothingLeft()) {
            api.update(Gvr.NAMESPACES, null, namespace, "finalize", NamespaceController::withoutOwnFinalizer);
        }
    }

    private static ObjectNode withoutOwnFinalizer(ObjectNode namespace) {
        ArrayNode others = Json.MAPPER.createArrayNode();
        for (JsonNode finalizer : namespace.path("spec").path("finalizers")) {
            if (!finalizer.asText().equals("kubernetes")) {
                others.add(finalizer);
            }
        }
        ObjectNode spec = Json.object();
        if (!others.isEmpty()) {
            spec.set("finalizers", others);
        }
        namespace.set("spec", spec);
        return namespace;
    }

    private boolean remove(Gvr storage, String namespace, ObjectNode object) {
        if (Json.namespace(object).isEmpty()) {
            return false;
        }
        if (!Json.terminating(object)) {
            api.delete(storage, namespace, Json.name(object), DeleteOptions.with(DeleteOptions.Propagation.BACKGROUND));
        }
        return parts.store.get(storage, new Key(namespace, Json.name(object))) != null;
    }
}
