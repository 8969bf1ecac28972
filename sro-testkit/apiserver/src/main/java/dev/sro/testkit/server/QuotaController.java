package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;

/** Says in the status of each ResourceQuota what it limits and what is used of it, as often as an object of its namespace changes. */
final class QuotaController implements Controller {
    private final ServerParts parts;
    private final ClusterApi api;
    private final NameQueue queue;

    QuotaController(ServerParts parts, ClusterApi api) {
        this.parts = parts;
        this.api = api;
        this.queue = new NameQueue(parts.clock);
        api.subscribe(null, this::observe);
    }

    private void observe(Change change) {
        String namespace = Json.namespace(change.object());
        if (!namespace.isEmpty() && !parts.quotas.isEmpty()) {
            queue.add(namespace);
        }
    }

    @Override
    public boolean work() {
        return queue.drain(this::count);
    }

    private void count(String namespace) {
        List<String> names = parts.store.locked(() -> parts.quotas.of(namespace).stream()
                .map(quota -> Json.name(quota.object()))
                .toList());
        for (String name : names) {
            if (api.get(NamespaceQuotas.QUOTAS, namespace, name).isPresent()) {
                api.update(NamespaceQuotas.QUOTAS, namespace, name, "status", quota -> counted(namespace, quota));
            }
        }
    }

    private ObjectNode counted(String namespace, ObjectNode quota) {
        Map<String, String> used = parts.quotas.used(namespace, quota);
        ObjectNode status = Json.object();
        if (quota.path("spec").path("hard") instanceof ObjectNode hard && !hard.isEmpty()) {
            status.set("hard", hard.deepCopy());
            ObjectNode amounts = status.putObject("used");
            used.forEach(amounts::put);
        }
        quota.set("status", status);
        return quota;
    }
}
