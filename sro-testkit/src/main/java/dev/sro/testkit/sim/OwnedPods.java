package dev.sro.testkit.sim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.server.Change;
import dev.sro.testkit.server.Gvr;
import java.util.function.Consumer;

/** Which changes concern a controller of pods: of its own objects, and of the pods that they control. Stateless. */
final class OwnedPods {

    private OwnedPods() {}

    /**
     * Tells which object has to be looked at after a change, if any.
     *
     * @param type resource of the controller's objects
     * @param kind their kind
     * @param concerned called with {@code namespace/name}
     */
    static void observe(Change change, Gvr type, String kind, Consumer<String> concerned) {
        ObjectNode object = change.object();
        ObjectNode before = change.before();
        if (change.type().equals(type)) {
            if (JsonNodes.revised(before, object)) {
                concerned.accept(JsonNodes.key(object));
            }
        } else if (change.type().equals(Gvr.PODS) && Pods.changed(change)) {
            JsonNode owner = JsonNodes.controllerOf(object);
            if (JsonNodes.text(owner, "kind").equals(kind)) {
                concerned.accept(JsonNodes.namespace(object) + "/" + JsonNodes.text(owner, "name"));
            }
        }
    }
}
