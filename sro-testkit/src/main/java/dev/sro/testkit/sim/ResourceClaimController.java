package dev.sro.testkit.sim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.server.ApiException;
import dev.sro.testkit.server.Change;
import dev.sro.testkit.server.ClusterApi;
import dev.sro.testkit.server.DeleteOptions;
import dev.sro.testkit.server.Gvr;
import dev.sro.testkit.server.LabelSelector;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Makes claims of templates for pods, reserves claims for pods that were bound by hand, and takes reservations back when pods are
 * done: a claim that nobody uses any more loses its devices. Keys are those of pods and claims, with a letter before.
 */
final class ResourceClaimController implements SimLoop.Reconciler {
    private static final String POD = "p:";
    private static final String CLAIM = "c:";
    /** What is left of 63 characters for the generated end of a name. */
    private static final int LONGEST_BASE = 57;

    private final ClusterApi api;
    private final SimLoop loop;

    ResourceClaimController(ClusterApi api, SimLoop loop) {
        this.api = api;
        this.loop = loop;
    }

    @Override
    public int rank() {
        return 0;
    }

    @Override
    public void observe(Change change) {
        ObjectNode object = change.object();
        if (change.type().equals(Gvr.PODS)) {
            observePod(object, change.kind() == Change.Kind.DELETED);
        } else if (change.type().equals(Gvr.RESOURCECLAIMS)) {
            if (change.kind() != Change.Kind.DELETED) {
                loop.enqueue(this, CLAIM + JsonNodes.key(object));
            }
            podsOf(JsonNodes.namespace(object)).forEach(p -> observePod(p, false));
        } else if (change.type().equals(Gvr.RESOURCECLAIMTEMPLATES)) {
            podsOf(JsonNodes.namespace(object)).forEach(p -> observePod(p, false));
        }
    }

    /** The pods of a namespace that have claims. */
    private List<ObjectNode> podsOf(String namespace) {
        return api.list(Gvr.PODS, namespace, LabelSelector.everything()).stream()
                .filter(p -> !JsonNodes.at(p, "spec", "resourceClaims").isEmpty())
                .toList();
    }

    private void observePod(ObjectNode pod, boolean deleted) {
        boolean any = !JsonNodes.at(pod, "spec", "resourceClaims").isEmpty()
                || JsonNodes.has(pod, "status", "extendedResourceClaimStatus");
        if (!any) {
            return;
        }
        if (deleted || done(pod)) {
            ClaimNames.all(pod).forEach(name -> loop.enqueue(this, CLAIM + JsonNodes.namespace(pod) + "/" + name));
        }
        if (!deleted && !JsonNodes.deleting(pod)) {
            loop.enqueue(this, POD + JsonNodes.key(pod));
        }
    }

    /** Whether it does not need its claims any more. */
    private static boolean done(JsonNode pod) {
        return Pods.finished(pod)
                || (JsonNodes.deleting(pod)
                        && JsonNodes.text(pod, "spec", "nodeName").isEmpty());
    }

    @Override
    public void reconcile(String key) {
        String namespace = JsonNodes.keyNamespace(key.substring(2));
        String name = JsonNodes.keyName(key.substring(2));
        if (key.startsWith(POD)) {
            api.get(Gvr.PODS, namespace, name).ifPresent(this::pod);
        } else {
            api.get(Gvr.RESOURCECLAIMS, namespace, name).ifPresent(this::claim);
        }
    }

    private void pod(ObjectNode pod) {
        if (JsonNodes.deleting(pod)) {
            return;
        }
        ObjectNode made = JsonNodes.object();
        for (JsonNode podClaim : JsonNodes.at(pod, "spec", "resourceClaims")) {
            String name = missing(pod, podClaim);
            if (name != null) {
                made.put(JsonNodes.text(podClaim, "name"), name);
            }
        }
        if (!made.isEmpty()) {
            Pods.updateStatus(
                    api,
                    pod,
                    status -> made.properties()
                            .forEach(e ->
                                    remember(status, e.getKey(), e.getValue().asText())));
        }
        if (!JsonNodes.text(pod, "spec", "nodeName").isEmpty() && !Pods.finished(pod)) {
            ClaimNames.all(pod).forEach(name -> reserve(pod, name));
        }
    }

    private static void remember(ObjectNode status, String podClaim, String claim) {
        ArrayNode kept = JsonNodes.array(status, "resourceClaimStatuses");
        for (int i = kept.size() - 1; i >= 0; i--) {
            if (JsonNodes.text(kept.get(i), "name").equals(podClaim)) {
                kept.remove(i);
            }
        }
        kept.addObject().put("name", podClaim).put("resourceClaimName", claim);
    }

    /** The name of a claim that was made for a pod just now, or that the pod's status does not know; null if all is well. */
    private @Nullable String missing(ObjectNode pod, JsonNode podClaim) {
        String template = JsonNodes.text(podClaim, "resourceClaimTemplateName");
        if (template.isEmpty()) {
            return null;
        }
        String known = ClaimNames.find(pod, podClaim);
        ObjectNode claim = known == null
                ? null
                : api.get(Gvr.RESOURCECLAIMS, JsonNodes.namespace(pod), known).orElse(null);
        if (claim != null && ClaimNames.ownedBy(claim, pod)) {
            return null;
        }
        for (ObjectNode own : api.ownedBy(Gvr.RESOURCECLAIMS, JsonNodes.uid(pod))) {
            if (JsonNodes.text(own, "metadata", "annotations", ClaimNames.POD_CLAIM)
                    .equals(JsonNodes.text(podClaim, "name"))) {
                return JsonNodes.name(own);
            }
        }
        ObjectNode made = api.get(Gvr.RESOURCECLAIMTEMPLATES, JsonNodes.namespace(pod), template)
                .map(t -> make(pod, JsonNodes.text(podClaim, "name"), t))
                .orElse(null);
        return made == null ? null : JsonNodes.name(made);
    }

    private ObjectNode make(ObjectNode pod, String podClaim, ObjectNode template) {
        ObjectNode claim = JsonNodes.object();
        ObjectNode metadata = JsonNodes.child(claim, "metadata");
        metadata.put("generateName", prefix(JsonNodes.name(pod), podClaim)).put("namespace", JsonNodes.namespace(pod));
        JsonNode given = JsonNodes.at(template, "spec", "metadata");
        if (given.path("labels").isObject()) {
            metadata.set("labels", given.get("labels").deepCopy());
        }
        ObjectNode annotations = metadata.putObject("annotations");
        given.path("annotations").properties().forEach(e -> annotations.set(e.getKey(), e.getValue()));
        annotations.put(ClaimNames.POD_CLAIM, podClaim);
        metadata.putArray("ownerReferences").add(ClaimNames.owner(pod));
        claim.set("spec", JsonNodes.at(template, "spec", "spec").deepCopy());
        return api.create(Gvr.RESOURCECLAIMS, claim);
    }

    /** Of pod and claim; both are cut, each by its share, where that is too long. */
    private static String prefix(String pod, String podClaim) {
        String whole = pod + "-" + podClaim + "-";
        if (whole.length() <= LONGEST_BASE) {
            return whole;
        }
        return pod.substring(0, pod.length() * LONGEST_BASE / whole.length()) + "-"
                + podClaim.substring(0, podClaim.length() * LONGEST_BASE / whole.length());
    }

    private void reserve(ObjectNode pod, String name) {
        ObjectNode claim =
                api.get(Gvr.RESOURCECLAIMS, JsonNodes.namespace(pod), name).orElse(null);
        if (claim != null && ClaimNames.allocated(claim) && !ClaimNames.reserved(claim, JsonNodes.uid(pod))) {
            update(claim, "status", c -> {
                JsonNodes.array(JsonNodes.child(c, "status"), "reservedFor").add(ClaimNames.consumer(pod));
                return c;
            });
        }
    }

    private void claim(ObjectNode claim) {
        ArrayNode users = claim.arrayNode();
        for (JsonNode consumer : JsonNodes.at(claim, "status", "reservedFor")) {
            if (uses(claim, consumer)) {
                users.add(consumer);
            }
        }
        boolean protectedByUs = JsonNodes.texts(claim, "metadata", "finalizers").contains(ClaimNames.FINALIZER);
        if (users.size() < JsonNodes.at(claim, "status", "reservedFor").size()) {
            boolean last = users.isEmpty() && protectedByUs;
            update(claim, "status", c -> {
                ObjectNode status = JsonNodes.child(c, "status");
                status.set("reservedFor", users);
                if (users.isEmpty()) {
                    status.remove("reservedFor");
                }
                if (last) {
                    status.remove("allocation");
                }
                return c;
            });
            if (last) {
                unprotect(claim);
            }
        } else if (protectedByUs && JsonNodes.deleting(claim) && users.isEmpty()) {
            if (ClaimNames.allocated(claim)) {
                update(claim, "status", c -> {
                    JsonNodes.child(c, "status").remove("allocation");
                    return c;
                });
            }
            unprotect(claim);
        }
        if (users.isEmpty()) {
            deleteUnused(claim);
        }
    }

    private boolean uses(ObjectNode claim, JsonNode consumer) {
        if (!JsonNodes.text(consumer, "resource").equals("pods")
                || !JsonNodes.text(consumer, "apiGroup").isEmpty()) {
            return true;
        }
        ObjectNode pod = api.get(Gvr.PODS, JsonNodes.namespace(claim), JsonNodes.text(consumer, "name"))
                .orElse(null);
        return pod != null && JsonNodes.uid(pod).equals(JsonNodes.text(consumer, "uid")) && !done(pod);
    }

    private void unprotect(ObjectNode claim) {
        update(claim, null, c -> {
            ArrayNode kept = c.arrayNode();
            JsonNodes.texts(c, "metadata", "finalizers").stream()
                    .filter(f -> !f.equals(ClaimNames.FINALIZER))
                    .forEach(kept::add);
            JsonNodes.child(c, "metadata").set("finalizers", kept);
            if (kept.isEmpty()) {
                JsonNodes.child(c, "metadata").remove("finalizers");
            }
            return c;
        });
    }

    /** A claim that was made for a pod which will not run; the collector would take it only when the pod is gone. */
    private void deleteUnused(ObjectNode claim) {
        JsonNode owner = JsonNodes.controllerOf(claim);
        if (!JsonNodes.text(owner, "kind").equals("Pod") || JsonNodes.deleting(claim)) {
            return;
        }
        ObjectNode pod = api.get(Gvr.PODS, JsonNodes.namespace(claim), JsonNodes.text(owner, "name"))
                .orElse(null);
        if (pod != null && (!JsonNodes.uid(pod).equals(JsonNodes.text(owner, "uid")) || done(pod))) {
            api.delete(Gvr.RESOURCECLAIMS, JsonNodes.namespace(claim), JsonNodes.name(claim), DeleteOptions.DEFAULT);
        }
    }

    private void update(ObjectNode claim, @Nullable String subresource, UnaryOperator<ObjectNode> change) {
        try {
            api.update(Gvr.RESOURCECLAIMS, JsonNodes.namespace(claim), JsonNodes.name(claim), subresource, change);
        } catch (ApiException gone) {
            Pods.ignoreMissing(gone);
        }
    }
}
