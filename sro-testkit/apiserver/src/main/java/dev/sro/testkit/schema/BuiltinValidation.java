package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Validation of built-in types: the mistakes that users make, not all of the server's rules. Metadata is not looked at. Stateless
 * for callers.
 */
public final class BuiltinValidation {
    private static final String IMMUTABLE = "field is immutable";
    private static final Set<String> NAMESPACE_FINALIZERS = Set.of("kubernetes", "orphan", "foregroundDeletion");

    private final List<FieldError> errors = new ArrayList<>();
    private final ObjectNode object;
    private final @Nullable ObjectNode old;

    private BuiltinValidation(ObjectNode object, @Nullable ObjectNode old) {
        this.object = object;
        this.old = old;
    }

    /**
     * What is wrong with an object of a built-in type.
     *
     * @param object after defaulting, with its name
     * @param old the stored object on update, null on create
     */
    public static List<FieldError> validate(
            String group, String version, String kind, ObjectNode object, @Nullable ObjectNode old) {
        BuiltinValidation v = new BuiltinValidation(object, old);
        switch (group + "/" + kind) {
            case "/Pod" -> v.pod();
            case "/ConfigMap" -> v.configMap();
            case "/Secret" -> v.secret();
            case "/Service" -> v.errors.addAll(ServiceValidation.validate(object, old));
            case "/PodTemplate" -> v.podTemplate();
            case "coordination.k8s.io/Lease" -> v.lease();
            case "rbac.authorization.k8s.io/Role", "rbac.authorization.k8s.io/ClusterRole" ->
                v.errors.addAll(RoleValidation.role(kind, object));
            case "networking.k8s.io/NetworkPolicy" -> v.errors.addAll(NetworkPolicyValidation.validate(object));
            case "/Node" -> v.node();
            case "/Event", "events.k8s.io/Event" -> {
                v.errors.addAll(
                        old == null
                                ? EventValidation.created(object, group.isEmpty())
                                : EventValidation.updated(object, group.isEmpty()));
            }
            case "networking.k8s.io/IPAddress" -> v.errors.addAll(AddressValidation.validate(object, old));
            case "storage.k8s.io/CSIStorageCapacity",
                    "storage.k8s.io/VolumeAttributesClass",
                    "/PersistentVolumeClaim",
                    "/PersistentVolume",
                    "storage.k8s.io/StorageClass",
                    "storage.k8s.io/VolumeAttachment",
                    "storage.k8s.io/CSIDriver",
                    "storage.k8s.io/CSINode" -> {
                v.errors.addAll(StorageValidation.validate(kind, object));
                if (kind.equals("PersistentVolume") && old != null) {
                    // The server looks at a changed volume twice.
                    v.errors.addAll(StorageValidation.validate(kind, object));
                }
            }
            case "certificates.k8s.io/CertificateSigningRequest" ->
                v.errors.addAll(old == null ? CertificateValidation.validate(object) : List.of());
            case "node.k8s.io/RuntimeClass" -> v.runtimeClass();
            case "/Endpoints" -> v.errors.addAll(EndpointsValidation.validate(object));
            case "scheduling.k8s.io/PriorityClass" -> v.errors.addAll(PriorityClassValidation.validate(object, old));
            case "policy/PodDisruptionBudget" -> v.disruptionBudget();
            case "/ReplicationController" -> v.errors.addAll(WorkloadValidation.replicationController(object));
            case "apps/DaemonSet", "apps/Deployment", "apps/StatefulSet", "apps/ReplicaSet" ->
                v.errors.addAll(WorkloadValidation.validate(kind, object, old));
            case "batch/Job" -> v.errors.addAll(JobValidation.job(object, old));
            case "batch/CronJob" -> v.errors.addAll(JobValidation.cronJob(object, old));
            case "/LimitRange" -> v.errors.addAll(LimitRangeValidation.validate(object));
            case "/ResourceQuota" -> v.errors.addAll(QuotaValidation.validate(object));
            case "/Namespace" -> v.namespace();
            case "apps/ControllerRevision" -> v.revision();
            case "autoscaling/HorizontalPodAutoscaler" -> {
                if (version.equals("v2")) {
                    v.errors.addAll(AutoscalerValidation.validate(object));
                }
            }
            case "networking.k8s.io/Ingress" -> v.errors.addAll(IngressValidation.ingress(object, old == null));
            case "networking.k8s.io/IngressClass" -> v.errors.addAll(IngressValidation.ingressClass(object));
            case "discovery.k8s.io/EndpointSlice" -> v.errors.addAll(EndpointSliceValidation.validate(object, old));
            case "apiregistration.k8s.io/APIService" -> v.errors.addAll(ApiServiceValidation.validate(object));
            case "flowcontrol.apiserver.k8s.io/FlowSchema" -> v.errors.addAll(FlowValidation.schema(object));
            case "flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration" ->
                v.errors.addAll(FlowValidation.level(object));
            case "rbac.authorization.k8s.io/RoleBinding", "rbac.authorization.k8s.io/ClusterRoleBinding" ->
                v.errors.addAll(RoleValidation.binding(kind, object, old));
            case "admissionregistration.k8s.io/ValidatingWebhookConfiguration",
                    "admissionregistration.k8s.io/MutatingWebhookConfiguration" ->
                v.errors.addAll(WebhookValidation.validate(object));
            case "admissionregistration.k8s.io/ValidatingAdmissionPolicy" ->
                v.errors.addAll(PolicyValidation.policy(object));
            case "admissionregistration.k8s.io/MutatingAdmissionPolicy" ->
                v.errors.addAll(PolicyValidation.mutating(object));
            case "admissionregistration.k8s.io/MutatingAdmissionPolicyBinding" ->
                v.errors.addAll(PolicyBindingValidation.mutating(object));
            case "admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding" ->
                v.errors.addAll(PolicyBindingValidation.validating(object));
            case "resource.k8s.io/ResourceClaim" -> v.errors.addAll(ClaimValidation.claim(object, old));
            case "resource.k8s.io/ResourceClaimTemplate" -> v.errors.addAll(ClaimValidation.template(object, old));
            case "resource.k8s.io/DeviceClass" -> v.errors.addAll(ClaimValidation.deviceClass(object));
            case "resource.k8s.io/ResourceSlice" -> v.errors.addAll(SliceValidation.validate(object, old));
            case "apiextensions.k8s.io/CustomResourceDefinition" -> {
                boolean changed = old == null || !object.path("spec").equals(old.path("spec"));
                v.errors.addAll(changed ? CrdValidation.validate(object, old) : List.of());
            }
            default -> {}
        }
        if (old != null) {
            v.errors.addAll(
                    switch (kind) {
                        case "PersistentVolume" -> VolumeUpdateValidation.volume(object, old);
                        case "PersistentVolumeClaim" -> VolumeUpdateValidation.claim(object, old);
                        case "CSINode" -> VolumeUpdateValidation.drivers(object, old);
                        default -> List.of();
                    });
            v.errors.addAll(ImmutableFields.changed(group, kind, object, old));
            v.errors.addAll(StatusValidation.validate(group + "/" + kind, object, old));
        }
        return v.errors;
    }

    /** What is wrong with the spec of a pod, whatever it was before. */
    public static List<FieldError> podSpec(ObjectNode pod) {
        return PodValidation.validate(JsonTree.ensure(pod, "spec"), "spec");
    }

    /** What is wrong with a text as an address of the network. */
    public static List<String> addressFaults(String address) {
        return Checks.addressFaults(address);
    }

    private void pod() {
        ObjectNode spec = JsonTree.object(object, "spec");
        JsonNode before = old == null ? null : old.get("spec");
        if (spec != null && !spec.equals(before)) {
            errors.addAll(PodValidation.validate(spec, "spec"));
            if (before != null) {
                errors.addAll(PodUpdateValidation.validate(spec, before));
            } else if (spec.hasNonNull("nodeName")
                    && !spec.path("schedulingGates").isEmpty()) {
                errors.add(FieldError.forbidden(
                        "spec.nodeName", "cannot be set until all schedulingGates have been cleared"));
            }
            if (before == null && !spec.path("ephemeralContainers").isEmpty()) {
                errors.add(FieldError.forbidden("spec.ephemeralContainers", "cannot be set on create"));
            }
        }
    }

    private void configMap() {
        keys("data");
        keys("binaryData");
        for (Map.Entry<String, JsonNode> e : object.path("data").properties()) {
            if (object.path("binaryData").has(e.getKey())) {
                errors.add(FieldError.invalid(
                        "data[" + e.getKey() + "]",
                        TextNode.valueOf(e.getKey()),
                        "duplicate of key present in binaryData"));
            }
        }
        frozen("data", "binaryData");
    }

    private void keys(String field) {
        for (Map.Entry<String, JsonNode> e : object.path(field).properties()) {
            Checks.configKey(e.getKey())
                    .forEach(fault -> errors.add(
                            FieldError.invalid(field + "[" + e.getKey() + "]", TextNode.valueOf(e.getKey()), fault)));
        }
    }

    private void frozen(String... fields) {
        if (old == null || !old.path("immutable").asBoolean()) {
            return;
        }
        String detail = "field is immutable when `immutable` is set";
        if (!object.path("immutable").asBoolean()) {
            errors.add(FieldError.forbidden("immutable", detail));
        }
        for (String field : fields) {
            if (!object.path(field).equals(old.path(field))) {
                errors.add(FieldError.forbidden(field, detail));
            }
        }
    }

    private void secret() {
        if (old != null && !object.path("type").equals(old.path("type"))) {
            errors.add(FieldError.invalid("type", object.get("type"), IMMUTABLE));
        }
        keys("data");
        String type = JsonTree.text(object, "type");
        switch (type) {
            case "kubernetes.io/tls" -> {
                requireData("tls.crt");
                requireData("tls.key");
            }
            case "kubernetes.io/dockerconfigjson" -> json(".dockerconfigjson");
            case "kubernetes.io/dockercfg" -> json(".dockercfg");
            case "kubernetes.io/service-account-token" -> {
                String account = "kubernetes.io/service-account.name";
                if (JsonTree.text(object.path("metadata").path("annotations"), account)
                        .isEmpty()) {
                    errors.add(FieldError.required("metadata.annotations[" + account + "]", ""));
                }
            }
            case "kubernetes.io/ssh-auth" -> {
                if (JsonTree.text(object.path("data"), "ssh-privatekey").isEmpty()) {
                    errors.add(FieldError.required("data[ssh-privatekey]", ""));
                }
            }
            case "kubernetes.io/basic-auth" -> {
                // One of the two is enough.
                if (!hasData("username") && !hasData("password")) {
                    errors.add(FieldError.required("data[username]", ""));
                    errors.add(FieldError.required("data[password]", ""));
                }
            }
            default -> {}
        }
        frozen("data");
    }

    private void json(String key) {
        requireData(key);
        String fault =
                object.path("data").has(key) ? SecretText.jsonFault(JsonTree.text(object.path("data"), key)) : null;
        if (fault != null) {
            errors.add(FieldError.invalid("data[" + key + "]", TextNode.valueOf("<secret contents redacted>"), fault));
        }
    }

    private boolean hasData(String key) {
        return object.path("data").has(key) || object.path("stringData").has(key);
    }

    private void requireData(String key) {
        if (!hasData(key)) {
            errors.add(FieldError.required("data[" + key + "]", ""));
        }
    }

    private void podTemplate() {
        new Checks(errors).labelsAndAnnotations(object.path("template").path("metadata"), "template");
        ObjectNode spec = JsonTree.object(object.get("template"), "spec");
        errors.addAll(
                spec == null
                        ? List.of(FieldError.required("template.spec.containers", ""))
                        : PodValidation.validate(spec, "template.spec"));
    }

    private void lease() {
        JsonNode spec = object.path("spec");
        if (spec.has("leaseDurationSeconds") && spec.get("leaseDurationSeconds").asLong() <= 0) {
            errors.add(FieldError.invalid(
                    "spec.leaseDurationSeconds", spec.get("leaseDurationSeconds"), "must be greater than 0"));
        }
        if (spec.path("leaseTransitions").asLong() < 0) {
            errors.add(FieldError.invalid(
                    "spec.leaseTransitions", spec.get("leaseTransitions"), "must be greater than or equal to 0"));
        }
    }

    private void node() {
        for (String field : new String[] {"podCIDR", "providerID"}) {
            String value = JsonTree.text(object.path("spec"), field);
            String before = old == null ? "" : JsonTree.text(old.path("spec"), field);
            if (!before.isEmpty() && !value.equals(before)) {
                errors.add(FieldError.forbidden(
                        field.equals("podCIDR") ? "spec.podCIDRs" : "spec.providerID",
                        "node updates may not change " + field + " except from \"\" to valid"));
            }
        }
        JsonNode cidrs = object.path("spec").path("podCIDRs");
        for (int i = 0; i < cidrs.size(); i++) {
            new Checks(errors).cidr(cidrs.get(i), "spec.podCIDRs[" + i + "]");
        }
        if (errors.isEmpty() && cidrs.size() > 1 && (cidrs.size() > 2 || sameFamily(cidrs))) {
            errors.add(
                    FieldError.invalid("spec.podCIDRs", cidrs, "may specify no more than one CIDR for each IP family"));
        }
        List<FieldError> taints = TaintValidation.validate(JsonTree.objects(object.path("spec"), "taints"));
        errors.addAll(taints);
        if (old != null) {
            // The server validates a changed node twice and reports both results.
            errors.addAll(taints);
        }
    }

    private static boolean sameFamily(JsonNode cidrs) {
        return cidrs.get(0).asText().contains(":") == cidrs.get(1).asText().contains(":");
    }

    private void namespace() {
        Checks checks = new Checks(errors);
        int i = 0;
        for (JsonNode finalizer : object.path("spec").path("finalizers")) {
            String name = finalizer.asText();
            String at = old == null ? "spec.finalizers" : "spec.finalizers[" + i + "]";
            i++;
            checks.labelKey(name, at);
            if (!name.contains("/") && !NAMESPACE_FINALIZERS.contains(name)) {
                checks.invalid(at, name, "name is neither a standard finalizer name nor is it fully qualified");
            }
        }
    }

    private void revision() {
        Checks checks = new Checks(errors);
        if (old == null && !object.hasNonNull("data")) {
            checks.required("data", "data is mandatory");
        }
        if (object.path("revision").asLong() < 0) {
            checks.invalid("revision", object.get("revision"), Checks.NOT_NEGATIVE);
        }
    }

    private void runtimeClass() {
        Checks checks = new Checks(errors);
        if (checks.present(object, "handler", "")) {
            DeviceNames.label(JsonTree.text(object, "handler"), "handler", errors);
        }
        JsonNode overhead = object.path("overhead").path("podFixed");
        ResourceNames.amounts(overhead, "overhead.limits", checks);
        JsonNode scheduling = object.path("scheduling");
        checks.labels(scheduling.path("nodeSelector"), "scheduling.nodeSelector");
        new SchedulingValidation(checks)
                .distinctTolerations(JsonTree.objects(scheduling, "tolerations"), "scheduling.tolerations");
    }

    private void disruptionBudget() {
        Checks checks = new Checks(errors);
        JsonNode spec = object.path("spec");
        checks.intOrPercent(spec.path("minAvailable"), "spec.minAvailable");
        checks.intOrPercent(spec.path("maxUnavailable"), "spec.maxUnavailable");
        checks.notMoreThanAll(spec.path("minAvailable"), "spec.minAvailable");
        checks.notMoreThanAll(spec.path("maxUnavailable"), "spec.maxUnavailable");
        if (spec.hasNonNull("minAvailable") && spec.hasNonNull("maxUnavailable")) {
            ObjectNode shown = JsonNodeFactory.instance.objectNode();
            shown.set("MinAvailable", spec.get("minAvailable"));
            shown.set("Selector", spec.path("selector").isObject() ? spec.get("selector") : NullNode.getInstance());
            shown.set("MaxUnavailable", spec.get("maxUnavailable"));
            JsonNode policy = spec.path("unhealthyPodEvictionPolicy");
            shown.set("UnhealthyPodEvictionPolicy", policy.isTextual() ? policy : NullNode.getInstance());
            checks.invalid("spec", shown, "minAvailable and maxUnavailable cannot be both set");
        }
        checks.selector(spec.get("selector"), "spec.selector");
        checks.oneOf(spec, "unhealthyPodEvictionPolicy", "spec", "AlwaysAllow", "IfHealthyBudget");
    }
}
