package dev.sro.testkit.sim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.server.ApiException;
import dev.sro.testkit.server.Change;
import dev.sro.testkit.server.ClusterApi;
import dev.sro.testkit.server.Gvr;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * OpenShift's build controllers: a BuildConfig starts a Build when it is created (ConfigChange or ImageChange trigger) or when
 * it is told to, a Build runs in a pod, and its output goes to the registry and into the status of an ImageStream. Builds of
 * one BuildConfig run one after the other unless its run policy is Parallel.
 */
final class BuildController implements SimLoop.Reconciler {
    private static final String CONFIG = "config:";
    private static final String BUILD = "build:";
    private static final String STREAM = "stream:";

    private final ClusterApi api;
    private final SimLoop loop;
    private final SimRegistry registry;

    BuildController(ClusterApi api, SimLoop loop, SimRegistry registry) {
        this.api = api;
        this.loop = loop;
        this.registry = registry;
    }

    @Override
    public int rank() {
        return 2;
    }

    @Override
    public void observe(Change change) {
        ObjectNode object = change.object();
        boolean deleted = change.kind() == Change.Kind.DELETED;
        if (change.type().equals(Gvr.BUILDCONFIGS) && change.before() == null) {
            loop.enqueue(this, CONFIG + JsonNodes.key(object));
        } else if (change.type().equals(Gvr.BUILDS)) {
            if (deleted || Builds.over(object)) {
                wakeNext(object);
            } else {
                loop.enqueue(this, BUILD + JsonNodes.key(object));
            }
        } else if (change.type().equals(Gvr.IMAGESTREAMS) && change.before() == null) {
            loop.enqueue(this, STREAM + JsonNodes.key(object));
        } else if (change.type().equals(Gvr.IMAGESTREAMTAGS) && deleted) {
            untag(object);
        } else if (change.type().equals(Gvr.PODS)) {
            String build = JsonNodes.text(object, "metadata", "annotations", Builds.POD_ANNOTATION);
            if (!build.isEmpty()) {
                loop.enqueue(this, BUILD + JsonNodes.namespace(object) + "/" + build);
            }
        }
    }

    private void wakeNext(ObjectNode build) {
        for (ObjectNode other : api.ownedBy(Gvr.BUILDS, JsonNodes.text(JsonNodes.controllerOf(build), "uid"))) {
            if (!Builds.over(other)) {
                loop.enqueue(this, BUILD + JsonNodes.key(other));
            }
        }
    }

    @Override
    public void reconcile(String prefixed) {
        String key = prefixed.substring(prefixed.indexOf(':') + 1);
        if (prefixed.startsWith(CONFIG)) {
            configCreated(key);
        } else if (prefixed.startsWith(BUILD)) {
            build(key);
        } else {
            streamCreated(key);
        }
    }

    private void configCreated(String key) {
        ObjectNode config = api.get(Gvr.BUILDCONFIGS, JsonNodes.keyNamespace(key), JsonNodes.keyName(key))
                .orElse(null);
        if (config == null || JsonNodes.integer(config, 0, "status", "lastVersion") > 0) {
            return;
        }
        for (JsonNode trigger : JsonNodes.at(config, "spec", "triggers")) {
            String type = JsonNodes.text(trigger, "type");
            if (type.equals("ConfigChange") || type.equals("ImageChange")) {
                start(config, "Build configuration change");
                return;
            }
        }
    }

    /** Starts a build by hand, as {@code oc start-build} does. Does nothing where there is no such BuildConfig. */
    void start(String namespace, String name) {
        api.get(Gvr.BUILDCONFIGS, namespace, name).ifPresent(c -> start(c, "Manually triggered"));
    }

    private void start(ObjectNode config, String cause) {
        int number = JsonNodes.integer(config, 0, "status", "lastVersion") + 1;
        update(Gvr.BUILDCONFIGS, config, null, c -> JsonNodes.child(c, "status").put("lastVersion", number));
        try {
            api.create(Gvr.BUILDS, Builds.build(config, number, cause));
        } catch (ApiException exists) {
            Pods.ignoreMissing(exists);
        }
    }

    private void streamCreated(String key) {
        api.get(Gvr.IMAGESTREAMS, JsonNodes.keyNamespace(key), JsonNodes.keyName(key))
                .ifPresent(s -> update(
                        Gvr.IMAGESTREAMS,
                        s,
                        "status",
                        x -> JsonNodes.child(x, "status").put("dockerImageRepository", repository(s))));
        for (ObjectNode build : api.list(Gvr.BUILDS)) {
            if (!Builds.over(build) && JsonNodes.namespace(build).equals(JsonNodes.keyNamespace(key))) {
                loop.enqueue(this, BUILD + JsonNodes.key(build));
            }
        }
    }

    private static String repository(JsonNode stream) {
        return SimRegistry.OPENSHIFT_INTERNAL + "/" + JsonNodes.namespace(stream) + "/" + JsonNodes.name(stream);
    }

    private void build(String key) {
        ObjectNode build = api.get(Gvr.BUILDS, JsonNodes.keyNamespace(key), JsonNodes.keyName(key))
                .orElse(null);
        if (build == null || Builds.over(build) || JsonNodes.deleting(build)) {
            return;
        }
        ObjectNode pod = api.get(Gvr.PODS, JsonNodes.namespace(build), JsonNodes.name(build) + "-build")
                .orElse(null);
        String phase = JsonNodes.text(build, "status", "phase");
        if (pod == null && (phase.isEmpty() || phase.equals("New"))) {
            begin(build);
        } else if (pod == null) {
            finish(build, "Error", "BuildPodDeleted", "The pod for this build was deleted before the build completed.");
        } else {
            follow(build, pod);
        }
    }

    private void begin(ObjectNode build) {
        if (waitsForOthers(build)) {
            return;
        }
        String stream = outputStream(build);
        if (!stream.isEmpty()
                && api.get(Gvr.IMAGESTREAMS, outputNamespace(build), stream).isEmpty()) {
            status(
                    build,
                    s -> s.put("phase", "New")
                            .put("reason", "InvalidOutputReference")
                            .put("message", "Output image could not be resolved."));
            return;
        }
        try {
            api.create(Gvr.PODS, Builds.pod(build));
        } catch (ApiException refused) {
            status(build, s -> s.put("reason", "CannotCreateBuildPod").put("message", "Failed creating build pod."));
            loop.retry(this, BUILD + JsonNodes.key(build));
            return;
        }
        status(build, s -> {
            s.put("phase", "Pending");
            s.remove(List.of("reason", "message"));
            if (!outputReference(build).isEmpty()) {
                s.put("outputDockerImageReference", outputReference(build));
            }
        });
    }

    private boolean waitsForOthers(ObjectNode build) {
        if (JsonNodes.label(build, "openshift.io/build.start-policy").equals("Parallel")) {
            return false;
        }
        List<ObjectNode> open =
                new ArrayList<>(api.ownedBy(Gvr.BUILDS, JsonNodes.text(JsonNodes.controllerOf(build), "uid")));
        open.removeIf(Builds::over);
        open.sort(Comparator.comparingInt(BuildController::number));
        return !open.isEmpty() && !JsonNodes.uid(open.get(0)).equals(JsonNodes.uid(build));
    }

    private static int number(ObjectNode build) {
        String text = JsonNodes.text(build, "metadata", "annotations", "openshift.io/build.number");
        return text.isEmpty() ? 0 : Integer.parseInt(text);
    }

    private void follow(ObjectNode build, ObjectNode pod) {
        switch (Pods.phase(pod)) {
            case "Running" ->
                status(build, s -> {
                    s.put("phase", "Running");
                    if (!s.has("startTimestamp")) {
                        s.put("startTimestamp", JsonNodes.time(loop.now()));
                    }
                });
            case "Succeeded" -> complete(build);
            case "Failed" ->
                finish(build, "Failed", "GenericBuildFailed", "Generic Build failure - check logs for details.");
            default -> {
                // Pending: nothing to tell yet.
            }
        }
    }

    private void complete(ObjectNode build) {
        String reference = outputReference(build);
        if (!reference.isEmpty()) {
            String digest = digest(build);
            registry.push(reference);
            tag(build, digest);
            status(build, s -> JsonNodes.child(s, "output", "to").put("imageDigest", digest));
        }
        finish(build, "Complete", "", "");
    }

    private void finish(ObjectNode build, String phase, String reason, String message) {
        status(build, s -> {
            Instant started = JsonNodes.instant(s, "startTimestamp");
            s.put("phase", phase).put("completionTimestamp", JsonNodes.time(loop.now()));
            if (started == null) {
                s.put("startTimestamp", JsonNodes.time(loop.now()));
            } else {
                s.put("duration", Duration.between(started, loop.now()).toNanos());
            }
            if (!reason.isEmpty()) {
                s.put("reason", reason).put("message", message);
            }
        });
    }

    private static String digest(ObjectNode build) {
        String seed = JsonNodes.key(build);
        String hex = UUID.nameUUIDFromBytes(seed.getBytes(StandardCharsets.UTF_8))
                .toString()
                .replace("-", "");
        return "sha256:" + hex + hex;
    }

    private static JsonNode output(JsonNode build) {
        return JsonNodes.at(build, "spec", "output", "to");
    }

    private static String outputNamespace(JsonNode build) {
        String ns = JsonNodes.text(output(build), "namespace");
        return ns.isEmpty() ? JsonNodes.namespace(build) : ns;
    }

    /** The ImageStream that the build writes to; empty where it has another output. */
    private static String outputStream(JsonNode build) {
        boolean tag = JsonNodes.text(output(build), "kind").equals("ImageStreamTag");
        return tag ? JsonNodes.text(output(build), "name").split(":", -1)[0] : "";
    }

    /** What the build pushes, as it is pulled. */
    private static String outputReference(JsonNode build) {
        String name = JsonNodes.text(output(build), "name");
        if (outputStream(build).isEmpty()) {
            return name;
        }
        return SimRegistry.OPENSHIFT_INTERNAL + "/" + outputNamespace(build) + "/" + SimRegistry.normalise(name);
    }

    private void tag(ObjectNode build, String digest) {
        String stream = outputStream(build);
        if (stream.isEmpty()) {
            return;
        }
        String tag =
                SimRegistry.normalise(JsonNodes.text(output(build), "name")).substring(stream.length() + 1);
        api.get(Gvr.IMAGESTREAMS, outputNamespace(build), stream).ifPresent(s -> {
            update(Gvr.IMAGESTREAMS, s, "status", x -> addTag(x, tag, repository(s), digest));
            makeTag(s, tag);
        });
    }

    /** On OpenShift it is another view of the stream; here it is an object beside it. */
    private void makeTag(ObjectNode stream, String tag) {
        ObjectNode object =
                JsonNodes.object().put("apiVersion", "image.openshift.io/v1").put("kind", "ImageStreamTag");
        ObjectNode meta = object.putObject("metadata");
        meta.put("name", JsonNodes.name(stream) + ":" + tag).put("namespace", JsonNodes.namespace(stream));
        meta.putArray("ownerReferences").add(JsonNodes.ownerReference(stream, "image.openshift.io/v1", "ImageStream"));
        try {
            api.create(Gvr.IMAGESTREAMTAGS, object);
        } catch (ApiException exists) {
            Pods.ignoreMissing(exists);
        }
    }

    /** Whoever deletes the object deletes the tag. */
    private void untag(ObjectNode object) {
        String name = JsonNodes.name(object);
        int colon = name.indexOf(':');
        api.get(Gvr.IMAGESTREAMS, JsonNodes.namespace(object), name.substring(0, colon))
                .ifPresent(stream -> update(Gvr.IMAGESTREAMS, stream, "status", s -> {
                    ArrayNode tags = JsonNodes.array(JsonNodes.child(s, "status"), "tags");
                    for (int i = tags.size() - 1; i >= 0; i--) {
                        if (JsonNodes.text(tags.get(i), "tag").equals(name.substring(colon + 1))) {
                            tags.remove(i);
                        }
                    }
                }));
    }

    private void addTag(ObjectNode stream, String tag, String repository, String digest) {
        ObjectNode status = JsonNodes.child(stream, "status");
        status.put("dockerImageRepository", repository);
        ArrayNode tags = JsonNodes.array(status, "tags");
        ObjectNode entry = null;
        for (JsonNode t : tags) {
            entry = JsonNodes.text(t, "tag").equals(tag) ? (ObjectNode) t : entry;
        }
        if (entry == null) {
            entry = tags.addObject().put("tag", tag);
        }
        ArrayNode items = JsonNodes.array(entry, "items");
        int generation = items.size() + 1;
        items.insertObject(0)
                .put("created", JsonNodes.time(loop.now()))
                .put("dockerImageReference", repository + "@" + digest)
                .put("image", digest)
                .put("generation", generation);
    }

    private void status(ObjectNode build, Consumer<ObjectNode> change) {
        update(Gvr.BUILDS, build, null, b -> change.accept(JsonNodes.child(b, "status")));
    }

    private void update(Gvr type, ObjectNode object, @Nullable String subresource, Consumer<ObjectNode> change) {
        try {
            api.update(type, JsonNodes.namespace(object), JsonNodes.name(object), subresource, o -> {
                change.accept(o);
                return o;
            });
        } catch (ApiException gone) {
            Pods.ignoreMissing(gone);
        }
    }
}
