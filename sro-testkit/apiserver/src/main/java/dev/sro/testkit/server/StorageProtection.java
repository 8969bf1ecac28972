package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.VirtualClock;
import java.util.List;

/** Lets PersistentVolumeClaims go that no pod uses any more, by taking off the finalizer that every one of them gets. */
final class StorageProtection implements Controller {
    private static final Gvr CLAIMS = Gvr.core("persistentvolumeclaims");
    private static final String FINALIZER = "kubernetes.io/pvc-protection";

    private final ClusterApi api;
    private final NameQueue queue;

    StorageProtection(ClusterApi api, VirtualClock clock) {
        this.api = api;
        this.queue = new NameQueue(clock);
        api.subscribe(null, this::observe);
    }

    private void observe(Change change) {
        JsonNode object = change.object();
        String namespace = Json.namespace(change.object());
        if (change.type().equals(CLAIMS) && Json.terminating(change.object())) {
            queue.add(namespace + "/" + Json.name(object));
        } else if (change.type().equals(Gvr.PODS) && change.kind() == Change.Kind.DELETED) {
            for (JsonNode volume : object.path("spec").path("volumes")) {
                String claim = Json.text(volume, "persistentVolumeClaim", "claimName");
                if (!claim.isEmpty()) {
                    queue.add(namespace + "/" + claim);
                }
            }
        }
    }

    @Override
    public boolean work() {
        return queue.drain(this::release);
    }

    private void release(String key) {
        String namespace = key.substring(0, key.indexOf('/'));
        String name = key.substring(namespace.length() + 1);
        ObjectNode claim = api.get(CLAIMS, namespace, name).orElse(null);
        if (claim == null || !Json.terminating(claim) || !Finalizers.has(claim, FINALIZER) || isUsed(namespace, name)) {
            return;
        }
        api.update(CLAIMS, namespace, name, null, c -> {
            List<String> left = Finalizers.read(c);
            left.remove(FINALIZER);
            Finalizers.set(c, left);
            return c;
        });
    }

    private boolean isUsed(String namespace, String claim) {
        for (ObjectNode pod : api.list(Gvr.PODS, namespace, LabelSelector.everything())) {
            for (JsonNode volume : pod.path("spec").path("volumes")) {
                if (Json.text(volume, "persistentVolumeClaim", "claimName").equals(claim)) {
                    return true;
                }
            }
        }
        return false;
    }
}
