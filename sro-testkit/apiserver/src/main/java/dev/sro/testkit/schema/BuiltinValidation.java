package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.google.re2j.Pattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Validation of built-in types: the mistakes that users make, not all of the server's rules. Metadata is not looked at. Stateless
 * for callers.
 */
public final class BuiltinValidation {
    private static final String IMMUTABLE = "field is immutable";
    private static final Pattern CONFIG_KEY = Pattern.compile("[-._a-zA-Z0-9]+");
    private static final int MAX_CONFIG_KEY = 253;

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
            case "rbac.authorization.k8s.io/Role", "rbac.authorization.k8s.io/ClusterRole" -> v.rules(kind);
            case "networking.k8s.io/NetworkPolicy" -> v.errors.addAll(NetworkPolicyValidation.validate(object));
            case "/Node" -> v.node();
            case "/Event" -> v.event();
            case "/PersistentVolumeClaim" -> v.claim();
            case "apps/DaemonSet", "apps/Deployment", "apps/StatefulSet", "apps/ReplicaSet" ->
                v.errors.addAll(WorkloadValidation.validate(kind, object, old));
            case "batch/Job", "batch/CronJob" -> v.errors.addAll(WorkloadValidation.job(kind, object, old));
            case "rbac.authorization.k8s.io/RoleBinding", "rbac.authorization.k8s.io/ClusterRoleBinding" ->
                v.binding(kind);
            case "admissionregistration.k8s.io/ValidatingWebhookConfiguration",
                    "admissionregistration.k8s.io/MutatingWebhookConfiguration" ->
                v.errors.addAll(WebhookValidation.validate(object));
            case "admissionregistration.k8s.io/ValidatingAdmissionPolicy" ->
                v.errors.addAll(PolicyValidation.policy(object));
            case "admissionregistration.k8s.io/MutatingAdmissionPolicy" ->
                v.errors.addAll(PolicyValidation.mutating(object));
            case "admissionregistration.k8s.io/MutatingAdmissionPolicyBinding" ->
                v.errors.addAll(PolicyValidation.mutatingBinding(object));
            case "admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding" ->
                v.errors.addAll(PolicyValidation.binding(object));
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
        return v.errors;
    }

    private void pod() {
        ObjectNode spec = JsonTree.object(object, "spec");
        JsonNode before = old == null ? null : old.get("spec");
        if (spec != null && !spec.equals(before)) {
            errors.addAll(PodValidation.validate(spec, "spec"));
            if (before != null) {
                errors.addAll(PodValidation.update(spec, before));
            } else if (spec.hasNonNull("nodeName")
                    && !spec.path("schedulingGates").isEmpty()) {
                errors.add(FieldError.forbidden(
                        "spec.nodeName", "cannot be set until all schedulingGates have been cleared"));
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
            String key = e.getKey();
            String fault = "";
            if (key.length() > MAX_CONFIG_KEY) {
                fault = "must be no more than 253 characters";
            } else if (!CONFIG_KEY.matches(key)) {
                fault = "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',"
                        + "  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";
            } else if (key.equals(".") || key.equals("..")) {
                fault = "must not be '" + key + "'";
            } else if (key.startsWith("..")) {
                fault = "must not start with '..'";
            }
            if (!fault.isEmpty()) {
                errors.add(FieldError.invalid(field + "[" + key + "]", TextNode.valueOf(key), fault));
            }
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
        keys("data");
        String type = JsonTree.text(object, "type");
        if (type.equals("kubernetes.io/tls")) {
            requireData("tls.crt");
            requireData("tls.key");
        } else if (type.equals("kubernetes.io/dockerconfigjson")) {
            requireData(".dockerconfigjson");
        }
        frozen("data");
        if (old != null && !object.path("type").equals(old.path("type"))) {
            errors.add(FieldError.invalid("type", object.get("type"), IMMUTABLE));
        }
    }

    private void requireData(String key) {
        if (!object.path("data").has(key) && !object.path("stringData").has(key)) {
            errors.add(FieldError.required("data[" + key + "]", ""));
        }
    }

    private void podTemplate() {
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

    private void rules(String kind) {
        List<ObjectNode> rules = JsonTree.objects(object, "rules");
        for (int i = 0; i < rules.size(); i++) {
            ObjectNode rule = rules.get(i);
            String at = "rules[" + i + "]";
            if (rule.path("verbs").isEmpty()) {
                errors.add(FieldError.required(at + ".verbs", "verbs must contain at least one value"));
            }
            boolean urls = !rule.path("nonResourceURLs").isEmpty();
            boolean resources = !rule.path("apiGroups").isEmpty()
                    || !rule.path("resources").isEmpty()
                    || !rule.path("resourceNames").isEmpty();
            if (urls && (kind.equals("Role") || resources)) {
                errors.add(FieldError.invalid(
                        at + ".nonResourceURLs",
                        rule.get("nonResourceURLs"),
                        kind.equals("Role")
                                ? "namespaced rules cannot apply to non-resource URLs"
                                : "rules cannot apply to both regular resources and non-resource URLs"));
            }
            if (!urls) {
                require(rule, "apiGroups", at, "resource rules must supply at least one api group");
                require(rule, "resources", at, "resource rules must supply at least one resource");
            }
        }
    }

    private void require(ObjectNode rule, String field, String at, String why) {
        if (rule.path(field).isEmpty()) {
            errors.add(FieldError.required(at + "." + field, why));
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
        List<FieldError> taints = PodValidation.taints(JsonTree.objects(object.path("spec"), "taints"));
        errors.addAll(taints);
        if (old != null) {
            // The server validates a changed node twice and reports both results.
            errors.addAll(taints);
        }
    }

    private void event() {
        String namespace = JsonTree.text(object.path("involvedObject"), "namespace");
        String own = JsonTree.text(object.path("metadata"), "namespace");
        if (old == null && !namespace.equals(own) && !(namespace.isEmpty() && own.equals("default"))) {
            errors.add(FieldError.invalid(
                    "involvedObject.namespace", TextNode.valueOf(namespace), "does not match event.namespace"));
        }
    }

    private void claim() {
        JsonNode spec = object.path("spec");
        if (spec.path("accessModes").isEmpty()) {
            errors.add(FieldError.required("spec.accessModes", "at least 1 access mode is required"));
        }
        if (!spec.path("resources").path("requests").has("storage")) {
            errors.add(FieldError.required("spec.resources[storage]", ""));
        }
    }

    private void binding(String kind) {
        JsonNode ref = object.path("roleRef");
        String refKind = JsonTree.text(ref, "kind");
        boolean cluster = kind.equals("ClusterRoleBinding");
        List<String> kinds = cluster ? List.of("\"ClusterRole\"") : List.of("\"Role\"", "\"ClusterRole\"");
        if (!kinds.contains("\"" + refKind + "\"")) {
            errors.add(FieldError.notSupported("roleRef.kind", TextNode.valueOf(refKind), kinds));
        }
        if (JsonTree.text(ref, "name").isEmpty()) {
            errors.add(FieldError.required("roleRef.name", ""));
        }
        if (old != null && !ref.equals(old.path("roleRef"))) {
            errors.add(FieldError.invalid("roleRef", dump(ref), "cannot change roleRef"));
        }
    }

    /** The reference as the server's internal struct prints it. */
    private static ObjectNode dump(JsonNode ref) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("APIGroup", JsonTree.text(ref, "apiGroup"))
                .put("Kind", JsonTree.text(ref, "kind"))
                .put("Name", JsonTree.text(ref, "name"));
    }
}
