package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.VirtualClock;
import java.util.List;

/**
 * Lets PersistentVolumeClaims go that no pod uses any more, and PersistentVolumes that no claim is bound to, by taking off the
 * finalizers that all of them get.
 */
final class StorageProtection implements Controller {
    private static final Gvr CLAIMS = Gvr.core("persistentvolumeclaims");
    private static final String FINALIZER = "kubernetes.io/pvc-protection";

    private static final Gvr VOLUMES = Gvr.core("persistentvolumes");
    private static final String VOLUME_FINALIZER = "kubernetes.io/pv-protection";

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
        } else if (change.type().equals(VOLUMES) && Json.terminating(change.object())) {
            queue.add("/" + Json.name(object));
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
        if (namespace.isEmpty()) {
            releaseVolume(name);
            return;
        }
        ObjectNode claim = api.get(CLAIMS, namespace, name).orElse(null);
        if (claim == null || !Json.terminating(claim) || !Finalizers.has(claim, FINALIZER) || isUsed(namespace, name)) {
            return;
        }
        takeOff(CLAIMS, namespace, name, FINALIZER);
    }

    private void releaseVolume(String name) {
        ObjectNode volume = api.get(VOLUMES, "", name).orElse(null);
        if (volume != null
                && Json.terminating(volume)
                && Finalizers.has(volume, VOLUME_FINALIZER)
                && !Json.text(volume, "status", "phase").equals("Bound")) {
            takeOff(VOLUMES, "", name, VOLUME_FINALIZER);
        }
    }

    private void takeOff(Gvr type, String namespace, String name, String finalizer) {
        api.update(type, namespace, name, null, object -> {
            List<String> left = Finalizers.read(object);
            left.remove(finalizer);
            Finalizers.set(object, left);
            return object;
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
