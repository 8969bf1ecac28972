package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.schema.BuiltinDefaults;
import dev.sro.testkit.schema.BuiltinTypes;
import dev.sro.testkit.schema.BuiltinValidation;
import dev.sro.testkit.schema.FieldError;
import dev.sro.testkit.schema.TypeSchema;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rules of built-in types: tables for what is regular, {@link KindHooks} for what is not. */
final class BuiltInRules implements TypeRules {
    /** Kinds whose generation begins with the first change. */
    private static final Set<String> COUNTS_CHANGES = Set.of("CSIDriver");

    /** Kinds whose generation stays as it was when they were made. */
    private static final Set<String> KEEPS_GENERATION = Set.of("PriorityClass");

    private static final Set<String> WITH_GENERATION = Set.of(
            "Pod",
            "PodTemplate",
            "DaemonSet",
            "Deployment",
            "StatefulSet",
            "ReplicaSet",
            "ReplicationController",
            "Job",
            "CronJob",
            "PodDisruptionBudget",
            "NetworkPolicy",
            "Ingress",
            "IngressClass",
            "EndpointSlice",
            "PriorityClass",
            "DeviceClass",
            "ResourceSlice",
            "CustomResourceDefinition",
            "ValidatingWebhookConfiguration",
            "MutatingWebhookConfiguration",
            "ValidatingAdmissionPolicy",
            "ValidatingAdmissionPolicyBinding",
            "MutatingAdmissionPolicy",
            "MutatingAdmissionPolicyBinding",
            "FlowSchema",
            "PriorityLevelConfiguration",
            "BuildConfig",
            "ImageStream",
            "ClusterVersion",
            "Proxy");
    private static final Set<String> ANSWERS_OBJECT = Set.of(
            "Pod",
            "Service",
            "ServiceAccount",
            "PersistentVolumeClaim",
            "PersistentVolume",
            "PodTemplate",
            "ResourceQuota",
            "ResourceClaim",
            "ResourceClaimTemplate",
            "ResourceSlice",
            "DeviceClass",
            "StorageClass",
            "VolumeAttachment",
            "CSINode",
            "CSIDriver");

    /** Groups whose objects are stored as they are written. */
    private static final Set<String> AS_JSON = Set.of("apiextensions.k8s.io", "apiregistration.k8s.io");

    private static final Set<String> KEEPS_STATUS_ON_CREATE = Set.of("Node", "Build", "CSINode");
    private static final Set<String> PATH_NAMES = Set.of(
            "Role",
            "RoleBinding",
            "ClusterRole",
            "ClusterRoleBinding",
            "PodDisruptionBudget",
            "Event",
            "APIService",
            "CertificateSigningRequest");
    private static final Set<String> LABEL_NAMES = Set.of("Namespace", "StatefulSet");

    private final ResourceType type;
    private final TypeSchema schema;
    private final KindHooks hooks;

    BuiltInRules(ResourceType type, KindHooks hooks) {
        this.type = type;
        this.hooks = hooks;
        this.schema = BuiltinTypes.find(type.gvr().group(), type.gvr().version(), type.kind());
    }

    @Override
    public TypeSchema schema() {
        return schema;
    }

    @Override
    public List<String> decode(ObjectNode object) {
        return BuiltinTypes.decode(schema, object);
    }

    @Override
    public void read(ObjectNode object) {
        if (type.kind().equals("Secret")) {
            KindHooks.foldStringData(object);
        }
    }

    @Override
    public void toStorage(ObjectNode object) {
        if (!AS_JSON.contains(type.gvr().group())) {
            BuiltinTypes.store(schema, object);
        }
    }

    @Override
    public void defaults(ObjectNode object) {
        BuiltinDefaults.apply(type.gvr().group(), type.gvr().version(), type.kind(), object);
    }

    @Override
    public void admit(ObjectNode object, WriteCall call) {
        hooks.admit(type, object, call);
    }

    @Override
    public void prepareCreate(ObjectNode object, WriteCall call) {
        if (type.hasStatus() && !KEEPS_STATUS_ON_CREATE.contains(type.kind())) {
            resetStatus(object);
        }
        if (WITH_GENERATION.contains(type.kind())) {
            Json.metadata(object).put("generation", 1);
        }
        hooks.create(type, object, call);
    }

    /** A status that the client sent is dropped; what the decoder always writes stays. */
    private void resetStatus(ObjectNode object) {
        object.remove("status");
        ObjectNode empty = Json.object();
        empty.putObject("metadata");
        decode(empty);
        JsonNode status = empty.get("status");
        if (status != null) {
            object.set("status", status);
        }
    }

    @Override
    public void prepareUpdate(ObjectNode next, ObjectNode old, WriteCall call) {
        if (call.subresource.equals("status")) {
            replaceAllBut(next, old, "status");
            if (type.kind().equals("Deployment")) {
                // Of the workloads, only its status endpoint keeps the labels.
                keep(Json.metadata(next), Json.metadata(old), "labels");
            }
        } else if (type.kind().equals("Pod") && PodSubresources.isOne(call.subresource)) {
            PodSubresources.reduce(next, old, call.subresource);
        } else if (type.hasStatus() && !call.subresource.equals("binding")) {
            // A binding writes the node and the condition that tells of it, at once.
            keep(next, old, "status");
        }
        hooks.update(type, next, old, call);
        // The node of a pod is part of its spec, and yet binding it to one does not count.
        boolean counted = WITH_GENERATION.contains(type.kind()) || COUNTS_CHANGES.contains(type.kind());
        boolean counts = counted && !KEEPS_GENERATION.contains(type.kind()) && !call.subresource.equals("binding");
        boolean same = type.kind().equals("EndpointSlice")
                // Which counts whatever changes.
                ? ObjectComparison.sameObject(next, old)
                : ObjectComparison.sameSpec(next, old) && sameAnnotations(next, old, call);
        if (counts && !same) {
            Json.metadata(next)
                    .put("generation", old.path("metadata").path("generation").asLong() + 1);
        }
        KindHooks.warnOfChange(type, next, old, call);
    }

    /** Deployments count changed annotations too. */
    private static boolean sameAnnotations(ObjectNode next, ObjectNode old, WriteCall call) {
        return !call.type.kind().equals("Deployment")
                || call.subresource.equals("status")
                || ObjectComparison.same(
                        next.path("metadata").get("annotations"),
                        old.path("metadata").get("annotations"));
    }

    /** Status updates of built-in types change the status and labels, annotations and the like, but nothing beside it. */
    static void replaceAllBut(ObjectNode next, ObjectNode old, String field) {
        List<String> names = new ArrayList<>();
        next.fieldNames().forEachRemaining(names::add);
        for (String name : names) {
            if (!name.equals(field) && !name.equals("metadata") && !old.has(name)) {
                next.remove(name);
            }
        }
        for (Map.Entry<String, JsonNode> e : old.properties()) {
            if (!e.getKey().equals(field) && !e.getKey().equals("metadata")) {
                next.set(e.getKey(), e.getValue());
            }
        }
    }

    static void keep(ObjectNode next, ObjectNode old, String field) {
        JsonNode value = old.get(field);
        if (value == null) {
            next.remove(field);
        } else {
            next.set(field, value);
        }
    }

    @Override
    public List<FieldError> validate(ObjectNode object, @Nullable ObjectNode old, WriteCall call) {
        if (old != null && type.kind().equals("Pod") && PodSubresources.isOne(call.subresource)) {
            List<FieldError> faults = PodSubresources.validate(object, old, call.subresource);
            if (faults.isEmpty() && call.subresource.equals("resize")) {
                hooks.checkNode(object, old, call);
            }
            return faults;
        }
        List<FieldError> errors = new ArrayList<>(hooks.validate(type, object, old));
        errors.addAll(BuiltinValidation.validate(type.gvr().group(), type.gvr().version(), type.kind(), object, old));
        return errors;
    }

    @Override
    public List<String> nameFaults(String name) {
        if (type.kind().equals("IPAddress")) {
            return BuiltinValidation.addressFaults(name);
        }
        if (PATH_NAMES.contains(type.kind())) {
            return Labels.pathSegmentFaults(name);
        }
        if (LABEL_NAMES.contains(type.kind())) {
            return Labels.labelFaults(name);
        }
        if (type.kind().equals("ImageStreamTag")) {
            // STREAM:TAG, as tags of images are.
            return name.matches("[a-z0-9]([-a-z0-9.]*[a-z0-9])?:[\\w][\\w.-]{0,127}")
                    ? List.of()
                    : List.of("must be of the form STREAM:TAG");
        }
        return type.kind().equals("Service") ? Labels.serviceFaults(name) : Labels.subdomainFaults(name);
    }

    @Override
    public boolean checksMetadata() {
        return !type.kind().equals("Event") && !type.kind().equals("PodDisruptionBudget");
    }

    @Override
    public boolean namesItself() {
        return type.kind().equals("LimitRange");
    }

    @Override
    public Set<String> reset(String subresource) {
        if (type.kind().equals("CertificateSigningRequest") && subresource.isEmpty()) {
            return Set.of("spec", "status");
        }
        if (subresource.equals("status")) {
            return Set.of("spec");
        }
        Set<String> reset = new HashSet<>();
        if (type.hasStatus() && !KEEPS_STATUS_ON_CREATE.contains(type.kind())) {
            reset.add("status");
        }
        return reset;
    }

    @Override
    public boolean createsOnUpdate() {
        return WriteTraits.createsOnUpdate(type.kind());
    }

    @Override
    public boolean unconditionalUpdate() {
        return WriteTraits.unconditionalUpdate(type.kind());
    }

    @Override
    public boolean strictFinalizers() {
        return WriteTraits.strictFinalizers(type.kind());
    }

    @Override
    public boolean comparesMetadata() {
        return WriteTraits.comparesMetadata(type.kind());
    }

    @Override
    public boolean checksGenerateName() {
        return !type.kind().equals("ReplicationController") && !type.kind().equals("DeviceClass");
    }

    @Override
    public boolean makesUpNames() {
        return !type.kind().equals("IPAddress");
    }

    @Override
    public int metadataChecks() {
        return WriteTraits.metadataChecks(type.kind());
    }

    @Override
    public boolean answersDeletedObject() {
        return ANSWERS_OBJECT.contains(type.kind());
    }

    @Override
    public long gracePeriod(ObjectNode object, @Nullable Long requested) {
        return type.kind().equals("Pod") ? PodHooks.gracePeriod(object, requested) : 0;
    }

    @Override
    public boolean hasDependents() {
        return !type.kind().equals("Event");
    }

    @Override
    public DeleteOptions.Propagation defaultPropagation() {
        return type.kind().equals("Job") || type.kind().equals("ReplicationController")
                ? DeleteOptions.Propagation.ORPHAN
                : DeleteOptions.Propagation.BACKGROUND;
    }
}
