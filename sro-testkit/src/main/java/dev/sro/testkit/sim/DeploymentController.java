package dev.sro.testkit.sim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.server.ApiException;
import dev.sro.testkit.server.Change;
import dev.sro.testkit.server.ClusterApi;
import dev.sro.testkit.server.DeleteOptions;
import dev.sro.testkit.server.Gvr;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The Deployment controller: one ReplicaSet for each template; rolling update, Recreate, scaling, pause, conditions. */
final class DeploymentController implements SimLoop.Reconciler {
    static final String HASH = "pod-template-hash";
    private static final String REVISION = "deployment.kubernetes.io/revision";
    private static final String DESIRED = "deployment.kubernetes.io/desired-replicas";
    private static final String MAX = "deployment.kubernetes.io/max-replicas";

    private final ClusterApi api;
    private final SimLoop loop;

    DeploymentController(ClusterApi api, SimLoop loop) {
        this.api = api;
        this.loop = loop;
    }

    @Override
    public int rank() {
        return 2;
    }

    @Override
    public void observe(Change change) {
        ObjectNode object = change.object();
        ObjectNode before = change.before();
        boolean revised = JsonNodes.revised(before, object);
        if (change.type().equals(Gvr.DEPLOYMENTS) && revised) {
            loop.enqueue(this, JsonNodes.key(object));
        } else if (change.type().equals(Gvr.REPLICASETS)) {
            JsonNode owner = JsonNodes.controllerOf(object);
            boolean status = before != null && !JsonNodes.same(before.path("status"), object.path("status"));
            boolean gone = change.kind() == Change.Kind.DELETED;
            if (JsonNodes.text(owner, "kind").equals("Deployment") && (revised || status || gone)) {
                loop.enqueue(this, JsonNodes.namespace(object) + "/" + JsonNodes.text(owner, "name"));
            }
        }
    }

    @Override
    public void reconcile(String key) {
        ObjectNode d = api.get(Gvr.DEPLOYMENTS, JsonNodes.keyNamespace(key), JsonNodes.keyName(key))
                .orElse(null);
        if (d == null) {
            return;
        }
        List<ObjectNode> all = replicaSets(d);
        if (!JsonNodes.deleting(d)) {
            boolean paused = JsonNodes.bool(d, "spec", "paused");
            ObjectNode current = current(d, all);
            if (paused) {
                scalePaused(d, all);
            } else if (JsonNodes.text(d, "spec", "strategy", "type").equals("Recreate")) {
                recreate(d, all, current);
            } else {
                roll(d, all, current == null ? create(d, all) : adopt(d, all, current));
            }
        }
        finish(key);
    }

    /** What the writes before led to is read again, as the real controller does through its caches. */
    private void finish(String key) {
        ObjectNode d = api.get(Gvr.DEPLOYMENTS, JsonNodes.keyNamespace(key), JsonNodes.keyName(key))
                .orElse(null);
        if (d == null) {
            return;
        }
        List<ObjectNode> all = replicaSets(d);
        ObjectNode current = current(d, all);
        DeploymentStatus status = new DeploymentStatus(d, all, current, loop.now());
        Instant deadline = status.progressDeadline();
        if (deadline != null && deadline.isAfter(loop.now())) {
            loop.at(deadline, this, key);
        }
        writeStatus(d, status::write);
        if (!JsonNodes.deleting(d) && !JsonNodes.bool(d, "spec", "paused") && status.complete()) {
            trim(d, all, current);
        }
    }

    private List<ObjectNode> replicaSets(ObjectNode d) {
        List<ObjectNode> all = new ArrayList<>(api.ownedBy(Gvr.REPLICASETS, JsonNodes.uid(d)));
        all.sort(Comparator.comparingInt(DeploymentController::revision).thenComparing(JsonNodes::name));
        return all;
    }

    private static int revision(JsonNode rs) {
        String text = JsonNodes.text(rs, "metadata", "annotations", REVISION);
        return text.isEmpty() ? 0 : Integer.parseInt(text);
    }

    /** The ReplicaSet of the current template; null where there is none yet. */
    private static @Nullable ObjectNode current(ObjectNode d, List<ObjectNode> all) {
        String want = Hashes.canonical(JsonNodes.at(d, "spec", "template"));
        for (ObjectNode rs : all) {
            ObjectNode template = JsonNodes.at(rs, "spec", "template").deepCopy();
            JsonNodes.child(template, "metadata", "labels").remove(HASH);
            if (Hashes.canonical(template).equals(want)) {
                return rs;
            }
        }
        return null;
    }

    private ObjectNode create(ObjectNode d, List<ObjectNode> all) {
        String hash = Hashes.compute(JsonNodes.at(d, "spec", "template"));
        String name = JsonNodes.name(d) + "-" + hash;
        ObjectNode rs = JsonNodes.object().put("apiVersion", "apps/v1").put("kind", "ReplicaSet");
        ObjectNode meta = rs.putObject("metadata").put("name", name).put("namespace", JsonNodes.namespace(d));
        JsonNodes.strings(d, "spec", "template", "metadata", "labels").forEach(JsonNodes.child(meta, "labels")::put);
        JsonNodes.child(meta, "labels").put(HASH, hash);
        String number = String.valueOf(all.isEmpty() ? 1 : revision(all.get(all.size() - 1)) + 1);
        annotate(meta, d, number);
        meta.putArray("ownerReferences").add(JsonNodes.ownerReference(d, "apps/v1", "Deployment"));
        ObjectNode spec = rs.putObject("spec");
        spec.put("replicas", new DeploymentScale(d, all).newReplicas(0));
        spec.set("selector", JsonNodes.at(d, "spec", "selector").deepCopy());
        JsonNodes.child(spec, "selector", "matchLabels").put(HASH, hash);
        spec.set("template", JsonNodes.at(d, "spec", "template").deepCopy());
        JsonNodes.child(spec, "template", "metadata", "labels").put(HASH, hash);
        JsonNodes.putUnlessZero(spec, "minReadySeconds", JsonNodes.integer(d, 0, "spec", "minReadySeconds"));
        ObjectNode made = api.create(Gvr.REPLICASETS, rs);
        writeStatus(d, x -> {
            JsonNodes.child(x, "metadata", "annotations").put(REVISION, number);
            DeploymentStatus.progressing(
                    x, "True", "NewReplicaSetCreated", "Created new replica set \"" + name + "\"", loop.now());
        });
        return made;
    }

    /** Makes a ReplicaSet that is there already the newest revision. */
    private ObjectNode adopt(ObjectNode d, List<ObjectNode> all, ObjectNode rs) {
        int newest = revision(all.get(all.size() - 1));
        int number = revision(rs) < newest ? newest + 1 : revision(rs);
        ObjectNode out = updateReplicaSet(rs, r -> annotate(JsonNodes.child(r, "metadata"), d, String.valueOf(number)));
        writeStatus(d, x -> {
            JsonNodes.child(x, "metadata", "annotations").put(REVISION, String.valueOf(number));
            if (Conditions.find(x, "Progressing").isMissingNode()) {
                String text = "Found new replica set \"" + JsonNodes.name(rs) + "\"";
                DeploymentStatus.progressing(x, "True", "FoundNewReplicaSet", text, loop.now());
            }
        });
        return out;
    }

    private static void annotate(ObjectNode meta, ObjectNode d, String number) {
        DeploymentScale scale = new DeploymentScale(d, List.of());
        ObjectNode annotations = JsonNodes.child(meta, "annotations");
        annotations.put(DESIRED, String.valueOf(scale.replicas()));
        annotations.put(MAX, String.valueOf(scale.replicas() + scale.surge()));
        annotations.put(REVISION, number);
    }

    private void roll(ObjectNode d, List<ObjectNode> before, ObjectNode current) {
        List<ObjectNode> all = replicaSets(d);
        DeploymentScale scale = new DeploymentScale(d, all);
        int have = JsonNodes.integer(current, 0, "spec", "replicas");
        int want = scale.newReplicas(have);
        if (want != have) {
            scaleTo(current, want);
            return;
        }
        if (!before.isEmpty()) {
            scale.oldReplicas(current).forEach(this::scaleTo);
        }
    }

    private void recreate(ObjectNode d, List<ObjectNode> all, @Nullable ObjectNode current) {
        boolean busy = false;
        for (ObjectNode rs : all) {
            if (current == null || !JsonNodes.uid(rs).equals(JsonNodes.uid(current))) {
                scaleTo(rs, 0);
                busy |= JsonNodes.integer(rs, 0, "spec", "replicas")
                                + JsonNodes.integer(rs, 0, "status", "replicas")
                                + JsonNodes.integer(rs, 0, "status", "terminatingReplicas")
                        > 0;
            }
        }
        if (!busy) {
            ObjectNode rs = current == null ? create(d, all) : adopt(d, all, current);
            scaleTo(rs, JsonNodes.integer(d, 1, "spec", "replicas"));
        }
    }

    /** A paused Deployment changes no template, but follows its number of replicas. */
    private void scalePaused(ObjectNode d, List<ObjectNode> all) {
        List<ObjectNode> active = all.stream()
                .filter(rs -> JsonNodes.integer(rs, 0, "spec", "replicas") > 0)
                .toList();
        ObjectNode only = active.size() == 1 ? active.get(0) : all.isEmpty() ? null : all.get(all.size() - 1);
        if (active.size() <= 1 && only != null) {
            scaleTo(only, JsonNodes.integer(d, 1, "spec", "replicas"));
        }
    }

    private void scaleTo(ObjectNode rs, int replicas) {
        if (JsonNodes.integer(rs, 0, "spec", "replicas") != replicas) {
            updateReplicaSet(rs, r -> JsonNodes.child(r, "spec").put("replicas", replicas));
        }
    }

    private ObjectNode updateReplicaSet(ObjectNode rs, Consumer<ObjectNode> change) {
        return api.update(Gvr.REPLICASETS, JsonNodes.namespace(rs), JsonNodes.name(rs), null, r -> {
            change.accept(r);
            return r;
        });
    }

    private void trim(ObjectNode d, List<ObjectNode> all, @Nullable ObjectNode current) {
        List<ObjectNode> idle = new ArrayList<>();
        for (ObjectNode rs : all) {
            boolean used =
                    JsonNodes.integer(rs, 0, "spec", "replicas") + JsonNodes.integer(rs, 0, "status", "replicas") > 0;
            if (!used
                    && !JsonNodes.deleting(rs)
                    && (current == null || !JsonNodes.uid(rs).equals(JsonNodes.uid(current)))) {
                idle.add(rs);
            }
        }
        int surplus = idle.size() - JsonNodes.integer(d, 10, "spec", "revisionHistoryLimit");
        for (int i = 0; i < surplus; i++) {
            api.delete(Gvr.REPLICASETS, JsonNodes.namespace(d), JsonNodes.name(idle.get(i)), DeleteOptions.DEFAULT);
        }
    }

    private void writeStatus(ObjectNode d, Consumer<ObjectNode> change) {
        try {
            api.update(Gvr.DEPLOYMENTS, JsonNodes.namespace(d), JsonNodes.name(d), "status", x -> {
                if (JsonNodes.uid(x).equals(JsonNodes.uid(d))) {
                    change.accept(x);
                }
                return x;
            });
        } catch (ApiException gone) {
            Pods.ignoreMissing(gone);
        }
    }
}
