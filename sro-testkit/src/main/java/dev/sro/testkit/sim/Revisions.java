package dev.sro.testkit.sim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.server.ApiException;
import dev.sro.testkit.server.ClusterApi;
import dev.sro.testkit.server.DeleteOptions;
import dev.sro.testkit.server.Gvr;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** The ControllerRevisions of DaemonSets and StatefulSets: one for each template that their owner has had. */
final class Revisions {
    static final String HASH = "controller-revision-hash";
    private static final String GENERATION = "deprecated.daemonset.template.generation";

    private final ClusterApi api;

    Revisions(ClusterApi api) {
        this.api = api;
    }

    /** Makes sure that the current template of the owner has the newest revision, and returns its hash. */
    String current(ObjectNode owner, String kind) {
        ObjectNode data = JsonNodes.object();
        ObjectNode template = JsonNodes.at(owner, "spec", "template").deepCopy();
        template.put("$patch", "replace");
        data.putObject("spec").set("template", template);
        List<ObjectNode> all = all(owner);
        int newest = all.isEmpty() ? 0 : JsonNodes.integer(all.get(all.size() - 1), 0, "revision");
        for (ObjectNode revision : all) {
            if (Hashes.canonical(revision.path("data")).equals(Hashes.canonical(data))) {
                bump(revision, newest);
                return hash(owner, revision);
            }
        }
        return create(owner, kind, data, newest + 1);
    }

    private List<ObjectNode> all(ObjectNode owner) {
        List<ObjectNode> all = new ArrayList<>(api.ownedBy(Gvr.CONTROLLERREVISIONS, JsonNodes.uid(owner)));
        all.sort(Comparator.comparingInt((ObjectNode r) -> JsonNodes.integer(r, 0, "revision"))
                .thenComparing(JsonNodes::name));
        return all;
    }

    private static String hash(ObjectNode owner, ObjectNode revision) {
        return JsonNodes.name(revision).substring(JsonNodes.name(owner).length() + 1);
    }

    private void bump(ObjectNode revision, int newest) {
        if (JsonNodes.integer(revision, 0, "revision") == newest) {
            return;
        }
        api.update(Gvr.CONTROLLERREVISIONS, JsonNodes.namespace(revision), JsonNodes.name(revision), null, r -> {
            r.put("revision", newest + 1);
            return r;
        });
    }

    private String create(ObjectNode owner, String kind, ObjectNode data, int number) {
        String hash = Hashes.ofRevision(data);
        ObjectNode revision = JsonNodes.object().put("apiVersion", "apps/v1").put("kind", "ControllerRevision");
        ObjectNode meta = revision.putObject("metadata");
        meta.put("name", JsonNodes.name(owner) + "-" + hash).put("namespace", JsonNodes.namespace(owner));
        ObjectNode labels = meta.putObject("labels");
        boolean daemon = kind.equals("DaemonSet");
        JsonNodes.strings(owner, "spec", "template", "metadata", "labels").forEach(labels::put);
        labels.put(HASH, daemon ? hash : JsonNodes.name(owner) + "-" + hash);
        JsonNode generation = JsonNodes.at(owner, "metadata", "annotations", GENERATION);
        if (daemon && generation.isTextual()) {
            meta.putObject("annotations").put(GENERATION, generation.asText());
        }
        meta.putArray("ownerReferences").add(JsonNodes.ownerReference(owner, "apps/v1", kind));
        revision.set("data", data);
        revision.put("revision", number);
        try {
            api.create(Gvr.CONTROLLERREVISIONS, revision);
        } catch (ApiException exists) {
            Pods.ignoreMissing(exists);
        }
        return hash;
    }

    /** Removes the oldest revisions beyond the limit that no pod uses. */
    void trim(ObjectNode owner, Supplier<Set<String>> usedHashes) {
        List<ObjectNode> idle = new ArrayList<>(all(owner));
        if (!idle.isEmpty()) {
            idle.remove(idle.size() - 1);
        }
        int limit = JsonNodes.integer(owner, 10, "spec", "revisionHistoryLimit");
        if (idle.size() <= limit) {
            return;
        }
        Set<String> used = usedHashes.get();
        idle.removeIf(r -> used.contains(hash(owner, r)));
        int surplus = idle.size() - limit;
        for (int i = 0; i < surplus; i++) {
            api.delete(
                    Gvr.CONTROLLERREVISIONS,
                    JsonNodes.namespace(owner),
                    JsonNodes.name(idle.get(i)),
                    DeleteOptions.DEFAULT);
        }
    }
}
