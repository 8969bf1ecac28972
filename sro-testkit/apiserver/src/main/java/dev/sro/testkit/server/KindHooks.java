package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.schema.FieldError;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What the server does by itself when objects of certain kinds are made or changed (admission and creation strategies). */
final class KindHooks {
    private static final ApiRequest.Identity ADMINISTRATOR =
            new ApiRequest.Identity("system:admin", List.of("system:masters", "system:authenticated"));

    private final PodHooks pods;
    private final ServiceHooks services;
    private final DeviceHooks devices;

    KindHooks(Ids ids, Store store, Supplier<Instant> now) {
        this.pods = new PodHooks(ids, store, now);
        this.services = new ServiceHooks(ids, store);
        this.devices = new DeviceHooks(store, now);
    }

    void create(ResourceType type, ObjectNode object, WriteCall call) {
        DisabledFields.drop(type.kind(), object, null);
        call.warnings.addAll(TypeWarnings.ofNew(type.kind(), object));
        switch (type.kind()) {
            case "Pod" -> pods.create(object);
            case "Service" -> services.create(object, call);
            case "Namespace" -> createNamespace(object);
            case "DaemonSet" -> templateGeneration(object, "1");
            case "Job" -> createJob(object);
            case "Secret" -> foldStringData(object);
            case "CustomResourceDefinition" -> {
                storedVersions(object);
                call.warnings.addAll(TypeWarnings.ofFormats(object, Json.object()));
            }
            case "PersistentVolumeClaim" -> {
                claim(object, "kubernetes.io/pvc-protection");
                dropForeignSource(own(object, "spec"));
            }
            case "PersistentVolume" -> claim(object, "kubernetes.io/pv-protection");
            case "VolumeAttributesClass" -> protect(object, "kubernetes.io/vac-protection");
            case "ServiceAccount" -> namesAlone(object);
            case "EndpointSlice" -> dropTopology(object);
            case "CertificateSigningRequest" -> requester(object, call);
            case "ResourceSlice" -> devices.slice(object, call);
            default -> {}
        }
    }

    /** A pod that has a node gets other resources only where that node is there. */
    void checkNode(ObjectNode pod, ObjectNode old, WriteCall call) {
        pods.checkNode(pod, old, call);
    }

    /** What is wrong with an object that only other objects can tell. */
    List<FieldError> validate(ResourceType type, ObjectNode object, @Nullable ObjectNode old) {
        return switch (type.kind()) {
            case "ResourceClaim" -> devices.adminAccess(object, old);
            case "ResourceClaimTemplate" -> devices.adminAccessByTemplate(object, old);
            default -> List.of();
        };
    }

    /** What admission plugins and defaulting do to a new object, apart from the strategy of its type. */
    void admit(ResourceType type, ObjectNode object, WriteCall call) {
        switch (type.kind()) {
            case "Pod" -> pods.admit(object, call);
            case "Namespace" -> label(object, "kubernetes.io/metadata.name", Json.name(object));
            case "Node" -> {
                taint(object);
                own(object, "spec").remove("configSource");
            }
            default -> {}
        }
    }

    /** What is worth a warning in an object that was changed; its generation counts the change already. */
    static void warnOfChange(ResourceType type, ObjectNode next, ObjectNode old, WriteCall call) {
        if (call.subresource.isEmpty()) {
            call.warnings.addAll(TypeWarnings.ofChanged(type.kind(), next, old));
        }
    }

    void update(ResourceType type, ObjectNode next, ObjectNode old, WriteCall call) {
        DisabledFields.drop(type.kind(), next, old);
        switch (type.kind()) {
            case "Namespace" -> updateNamespace(next, old, call);
            case "Pod" -> {
                if (call.subresource.isEmpty()) {
                    PodHooks.update(next, old);
                } else if (call.subresource.equals("status")) {
                    PodHooks.status(next, old);
                }
            }
            case "Node" -> {
                if (!old.path("spec").has("configSource")) {
                    own(next, "spec").remove("configSource");
                }
            }
            case "Service" -> services.update(next, old, call);
            case "ServiceAccount" -> namesAlone(next);
            case "CertificateSigningRequest" -> BuiltInRules.keep(next, old, "spec");
            case "EndpointSlice" -> {
                if (!next.path("endpoints").equals(old.path("endpoints"))) {
                    dropTopology(next);
                }
            }
            case "CustomResourceDefinition" -> {
                if (call.subresource.isEmpty()) {
                    call.warnings.addAll(TypeWarnings.ofFormats(next, old));
                }
            }
            case "Secret" -> {
                foldStringData(next);
                TypeWarnings.ofCertificate(next, call.warnings);
            }
            case "ResourceSlice" -> devices.slice(next, call);
            case "ResourceClaim" -> devices.claimStatus(next, old);
            case "DaemonSet" -> templateGeneration(next, old);
            default -> {}
        }
    }

    /** Who asks for a certificate is whoever made the request. */
    private static void requester(ObjectNode object, WriteCall call) {
        ApiRequest.Identity identity = call.identity == null ? ADMINISTRATOR : call.identity;
        ObjectNode spec = own(object, "spec");
        spec.remove(List.of("uid", "groups", "extra"));
        spec.put("username", identity.user());
        if (!identity.uid().isEmpty()) {
            spec.put("uid", identity.uid());
        }
        identity.groups().forEach(spec.putArray("groups")::add);
        identity.extra()
                .forEach((key, value) -> own(spec, "extra").putArray(key).add(value));
    }

    /** Of the secrets of an account, nothing but their names is kept. */
    private static void namesAlone(ObjectNode account) {
        if (account.get("secrets") instanceof ArrayNode secrets) {
            ArrayNode names = account.arrayNode();
            for (JsonNode secret : secrets) {
                String name = Json.text(secret, "name");
                ObjectNode one = names.addObject();
                if (!name.isEmpty()) {
                    one.put("name", name);
                }
            }
            account.set("secrets", names);
        }
    }

    /** Written by the former version of the API alone. */
    private static void dropTopology(ObjectNode slice) {
        if (slice.path("endpoints").findValue("deprecatedTopology") != null) {
            ArrayNode endpoints = slice.path("endpoints").deepCopy();
            endpoints.forEach(endpoint -> ((ObjectNode) endpoint).remove("deprecatedTopology"));
            slice.set("endpoints", endpoints);
        }
    }

    private static void createNamespace(ObjectNode object) {
        label(object, "kubernetes.io/metadata.name", Json.name(object));
        ObjectNode spec = own(object, "spec");
        ArrayNode finalizers = spec.arrayNode();
        boolean own = false;
        for (JsonNode finalizer : spec.path("finalizers")) {
            own |= finalizer.asText().equals("kubernetes");
            finalizers.add(finalizer);
        }
        spec.set("finalizers", own ? finalizers : finalizers.add("kubernetes"));
        object.putObject("status").put("phase", "Active");
    }

    private static void updateNamespace(ObjectNode next, ObjectNode old, WriteCall call) {
        if (!call.subresource.equals("finalize") && old.has("spec")) {
            next.set("spec", old.get("spec"));
        }
        if (call.subresource.isEmpty()) {
            label(next, "kubernetes.io/metadata.name", Json.name(next));
        }
    }

    /** A new node is tainted until its kubelet reports it ready. */
    private static void taint(ObjectNode object) {
        ObjectNode spec = own(object, "spec");
        boolean tainted = false;
        ArrayNode taints = spec.arrayNode();
        for (JsonNode taint : spec.path("taints")) {
            tainted |= Json.text(taint, "key").equals("node.kubernetes.io/not-ready")
                    && Json.text(taint, "effect").equals("NoSchedule");
            taints.add(taint);
        }
        if (!tainted) {
            taints.addObject().put("key", "node.kubernetes.io/not-ready").put("effect", "NoSchedule");
        }
        spec.set("taints", taints);
    }

    /** A changed template counts. */
    private static void templateGeneration(ObjectNode next, ObjectNode old) {
        String generation = Json.text(old, "metadata", "annotations", "deprecated.daemonset.template.generation");
        boolean sameTemplate = ObjectComparison.same(
                next.path("spec").get("template"), old.path("spec").get("template"));
        long counted = generation.isEmpty() ? 1 : Long.parseLong(generation);
        templateGeneration(next, Long.toString(sameTemplate ? counted : counted + 1));
    }

    private static void templateGeneration(ObjectNode object, String generation) {
        ObjectNode metadata = Json.metadata(object);
        ObjectNode annotations = metadata.get("annotations") instanceof ObjectNode o ? Json.shallow(o) : Json.object();
        annotations.put("deprecated.daemonset.template.generation", generation);
        metadata.set("annotations", annotations);
    }

    /** A job finds its pods by its own uid, unless the user insists on a selector of his. */
    private static void createJob(ObjectNode object) {
        ObjectNode spec = own(object, "spec");
        if (spec.path("manualSelector").asBoolean()) {
            return;
        }
        String uid = Json.uid(object);
        ObjectNode template = spec.get("template") instanceof ObjectNode t ? Json.topCopy(t) : Json.object();
        ObjectNode metadata = Json.metadata(template);
        JsonNode before = metadata.path("labels");
        ObjectNode labels = before instanceof ObjectNode l ? Json.shallow(l) : Json.object();
        labels.put("batch.kubernetes.io/controller-uid", uid)
                .put("batch.kubernetes.io/job-name", Json.name(object))
                .put("controller-uid", uid)
                .put("job-name", Json.name(object));
        metadata.set("labels", labels);
        ObjectNode own = Json.metadata(object);
        if (Json.isEmpty(own.get("labels")) || own.get("labels").equals(before)) {
            own.set("labels", labels);
        }
        spec.set("template", template);
        ObjectNode selector = spec.get("selector") instanceof ObjectNode given ? Json.topCopy(given) : Json.object();
        ObjectNode match = selector.get("matchLabels") instanceof ObjectNode m ? Json.shallow(m) : Json.object();
        selector.set("matchLabels", match.put("batch.kubernetes.io/controller-uid", uid));
        spec.set("selector", selector);
    }

    private static void storedVersions(ObjectNode definition) {
        ArrayNode stored = own(definition, "status").putArray("storedVersions");
        for (JsonNode version : definition.path("spec").path("versions")) {
            if (version.path("storage").asBoolean()) {
                stored.add(version.path("name").asText());
                return;
            }
        }
    }

    static void foldStringData(ObjectNode object) {
        if (!(object.remove("stringData") instanceof ObjectNode texts)) {
            return;
        }
        ObjectNode data = object.get("data") instanceof ObjectNode d ? Json.shallow(d) : Json.object();
        for (Map.Entry<String, JsonNode> e : texts.properties()) {
            byte[] bytes = e.getValue().asText().getBytes(StandardCharsets.UTF_8);
            data.put(e.getKey(), Base64.getEncoder().encodeToString(bytes));
        }
        object.set("data", data);
    }

    /** The older field names claims and snapshots alone; what else can be a source is for the newer one. */
    private static void dropForeignSource(ObjectNode spec) {
        String kind = Json.text(spec, "dataSource", "kind");
        String group = Json.text(spec, "dataSource", "apiGroup");
        boolean claim = kind.equals("PersistentVolumeClaim") && group.isEmpty();
        boolean snapshot = kind.equals("VolumeSnapshot") && group.equals("snapshot.storage.k8s.io");
        if (spec.has("dataSource") && !claim && !snapshot) {
            spec.remove("dataSource");
        }
    }

    private static void claim(ObjectNode object, String finalizer) {
        protect(object, finalizer);
        own(object, "status").put("phase", "Pending");
    }

    private static void protect(ObjectNode object, String finalizer) {
        ObjectNode metadata = Json.metadata(object);
        ArrayNode finalizers = metadata.arrayNode();
        boolean there = false;
        for (JsonNode f : metadata.path("finalizers")) {
            there |= f.asText().equals(finalizer);
            finalizers.add(f);
        }
        if (!there) {
            finalizers.add(finalizer);
        }
        metadata.set("finalizers", finalizers);
    }

    private static void label(ObjectNode object, String key, String value) {
        ObjectNode metadata = Json.metadata(object);
        if (Json.text(metadata, "labels", key).equals(value)) {
            return;
        }
        ObjectNode labels = metadata.get("labels") instanceof ObjectNode l ? Json.shallow(l) : Json.object();
        labels.put(key, value);
        metadata.set("labels", labels);
    }

    /** The object at a field of the top level, made if it is missing. The caller owns it. */
    static ObjectNode own(ObjectNode object, String field) {
        return object.get(field) instanceof ObjectNode o ? o : object.putObject(field);
    }
}
