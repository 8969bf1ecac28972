package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Defaulting of built-in types, as the API server does when it decodes an object. Stateless. */
public final class BuiltinDefaults {
    private static final String RBAC = "rbac.authorization.k8s.io";

    private static final Map<String, Consumer<ObjectNode>> BY_KIND = Map.ofEntries(
            Map.entry("/Pod", BuiltinDefaults::pod),
            Map.entry("/PodTemplate", o -> PodDefaults.template(JsonTree.object(o, "template"))),
            Map.entry("/ReplicationController", WorkloadDefaults::replicationController),
            Map.entry("/Service", ServiceDefaults::service),
            Map.entry("/Secret", o -> JsonTree.text(o, "type", "Opaque")),
            Map.entry("/Endpoints", ServiceDefaults::endpoints),
            Map.entry("/Namespace", BuiltinDefaults::namespace),
            Map.entry("/Node", BuiltinDefaults::node),
            Map.entry("/PersistentVolumeClaim", BuiltinDefaults::claim),
            Map.entry("/PersistentVolume", BuiltinDefaults::volume),
            Map.entry("apps/DaemonSet", WorkloadDefaults::daemonSet),
            Map.entry("apps/Deployment", WorkloadDefaults::deployment),
            Map.entry("apps/ReplicaSet", WorkloadDefaults::replicaSet),
            Map.entry("apps/StatefulSet", WorkloadDefaults::statefulSet),
            Map.entry("batch/Job", WorkloadDefaults::job),
            Map.entry("batch/CronJob", WorkloadDefaults::cronJob),
            Map.entry(RBAC + "/RoleBinding", BuiltinDefaults::binding),
            Map.entry(RBAC + "/ClusterRoleBinding", BuiltinDefaults::binding),
            Map.entry(
                    "scheduling.k8s.io/PriorityClass",
                    o -> JsonTree.absent(o, "preemptionPolicy", "PreemptLowerPriority")),
            Map.entry("storage.k8s.io/StorageClass", BuiltinDefaults::storageClass),
            Map.entry("storage.k8s.io/CSIDriver", BuiltinDefaults::csiDriver),
            Map.entry("apiregistration.k8s.io/APIService", BuiltinDefaults::apiService),
            Map.entry(
                    "flowcontrol.apiserver.k8s.io/FlowSchema",
                    o -> JsonTree.nonZero(JsonTree.ensure(o, "spec"), "matchingPrecedence", 1000)),
            Map.entry("flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration", BuiltinDefaults::priorityLevel),
            Map.entry("networking.k8s.io/IngressClass", ServiceDefaults::ingressClass),
            Map.entry("/LimitRange", LimitDefaults::limitRange),
            Map.entry("autoscaling/HorizontalPodAutoscaler", AutoscalerDefaults::autoscaler),
            Map.entry("networking.k8s.io/NetworkPolicy", ServiceDefaults::networkPolicy),
            Map.entry("admissionregistration.k8s.io/ValidatingWebhookConfiguration", o -> webhooks(o, false)),
            Map.entry("admissionregistration.k8s.io/MutatingWebhookConfiguration", o -> webhooks(o, true)),
            Map.entry("admissionregistration.k8s.io/ValidatingAdmissionPolicy", BuiltinDefaults::admissionPolicy),
            Map.entry("admissionregistration.k8s.io/MutatingAdmissionPolicy", BuiltinDefaults::admissionPolicy),
            Map.entry("admissionregistration.k8s.io/MutatingAdmissionPolicyBinding", BuiltinDefaults::policyBinding),
            Map.entry("admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding", BuiltinDefaults::policyBinding),
            Map.entry("apiextensions.k8s.io/CustomResourceDefinition", CrdDefaults::apply),
            Map.entry("resource.k8s.io/ResourceClaim", o -> {
                ClaimDefaults.spec(JsonTree.object(o, "spec"));
                ClaimDefaults.status(JsonTree.object(o, "status"));
            }),
            Map.entry(
                    "resource.k8s.io/ResourceClaimTemplate",
                    o -> ClaimDefaults.spec(JsonTree.object(JsonTree.object(o, "spec"), "spec"))),
            Map.entry("discovery.k8s.io/EndpointSlice", ServiceDefaults::endpointSlice));

    private BuiltinDefaults() {}

    /** Sets defaults in place; nothing for unknown types. Group is empty for core. Idempotent. */
    public static void apply(String group, String version, String kind, ObjectNode object) {
        Consumer<ObjectNode> defaults = BY_KIND.get(group + "/" + kind);
        if (defaults != null) {
            defaults.accept(object);
        }
    }

    private static void pod(ObjectNode pod) {
        ObjectNode spec = JsonTree.ensure(pod, "spec");
        PodDefaults.spec(spec);
        PodDefaults.hostPorts(spec);
        JsonTree.flag(spec, "enableServiceLinks", true);
        PodDefaults.requestsFromLimits(spec);
    }

    private static void namespace(ObjectNode namespace) {
        ObjectNode metadata = JsonTree.ensure(namespace, "metadata");
        String name = JsonTree.text(metadata, "name");
        if (!name.isEmpty()) {
            JsonTree.ensure(metadata, "labels").put("kubernetes.io/metadata.name", name);
        }
        ObjectNode status = JsonTree.ensure(namespace, "status");
        JsonTree.text(status, "phase", "Active");
    }

    private static void node(ObjectNode node) {
        ObjectNode status = JsonTree.object(node, "status");
        JsonNode capacity = status == null ? null : status.get("capacity");
        if (status != null && capacity != null && !capacity.isEmpty()) {
            JsonNode allocatable = status.get("allocatable");
            if (allocatable == null || allocatable.isEmpty()) {
                status.set("allocatable", capacity.deepCopy());
            }
        }
        ObjectNode spec = JsonTree.object(node, "spec");
        String cidr = JsonTree.text(spec, "podCIDR");
        JsonNode first = spec == null ? null : spec.path("podCIDRs").path(0);
        if (spec != null && !cidr.isEmpty() && !spec.get("podCIDR").equals(first)) {
            spec.putArray("podCIDRs").add(cidr);
        } else if (spec != null && first != null && first.isTextual()) {
            spec.set("podCIDR", first);
        }
    }

    private static void claim(ObjectNode claim) {
        claimSpec(JsonTree.ensure(claim, "spec"));
        JsonTree.text(JsonTree.ensure(claim, "status"), "phase", "Pending");
    }

    static void claimSpec(ObjectNode spec) {
        JsonTree.absent(spec, "volumeMode", "Filesystem");
    }

    private static void volume(ObjectNode volume) {
        ObjectNode spec = JsonTree.ensure(volume, "spec");
        JsonTree.text(spec, "persistentVolumeReclaimPolicy", "Retain");
        JsonTree.absent(spec, "volumeMode", "Filesystem");
        ObjectNode hostPath = JsonTree.object(spec, "hostPath");
        if (hostPath != null && !hostPath.has("type")) {
            hostPath.put("type", "");
        }
        JsonTree.text(JsonTree.ensure(volume, "status"), "phase", "Pending");
    }

    private static void binding(ObjectNode binding) {
        JsonTree.text(JsonTree.ensure(binding, "roleRef"), "apiGroup", RBAC);
        for (ObjectNode subject : JsonTree.objects(binding, "subjects")) {
            String kind = JsonTree.text(subject, "kind");
            if (kind.equals("User") || kind.equals("Group")) {
                JsonTree.text(subject, "apiGroup", RBAC);
            }
        }
    }

    private static void storageClass(ObjectNode storageClass) {
        JsonTree.absent(storageClass, "reclaimPolicy", "Delete");
        JsonTree.absent(storageClass, "volumeBindingMode", "Immediate");
    }

    private static void csiDriver(ObjectNode driver) {
        ObjectNode spec = JsonTree.ensure(driver, "spec");
        JsonTree.flag(spec, "attachRequired", true);
        JsonTree.flag(spec, "podInfoOnMount", false);
        JsonTree.flag(spec, "storageCapacity", false);
        JsonTree.absent(spec, "fsGroupPolicy", "ReadWriteOnceWithFSType");
        JsonTree.flag(spec, "requiresRepublish", false);
        JsonTree.flag(spec, "seLinuxMount", false);
        if (!(spec.get("volumeLifecycleModes") instanceof ArrayNode modes) || modes.isEmpty()) {
            spec.putArray("volumeLifecycleModes").add("Persistent");
        }
    }

    private static void apiService(ObjectNode apiService) {
        ObjectNode service = JsonTree.object(JsonTree.object(apiService, "spec"), "service");
        if (service != null) {
            JsonTree.number(service, "port", 443);
        }
    }

    private static void priorityLevel(ObjectNode level) {
        ObjectNode spec = JsonTree.ensure(level, "spec");
        if (JsonTree.text(spec, "type").equals("Exempt")) {
            JsonTree.ensure(spec, "exempt");
        }
        ObjectNode exempt = JsonTree.object(spec, "exempt");
        if (exempt != null) {
            JsonTree.number(exempt, "nominalConcurrencyShares", 0);
            JsonTree.number(exempt, "lendablePercent", 0);
        }
        ObjectNode limited = JsonTree.object(spec, "limited");
        if (limited == null) {
            return;
        }
        JsonTree.number(limited, "nominalConcurrencyShares", 30);
        JsonTree.number(limited, "lendablePercent", 0);
        ObjectNode queuing = JsonTree.object(JsonTree.object(limited, "limitResponse"), "queuing");
        if (queuing != null) {
            JsonTree.nonZero(queuing, "handSize", 8);
            JsonTree.nonZero(queuing, "queues", 64);
            JsonTree.nonZero(queuing, "queueLengthLimit", 50);
        }
    }

    private static void webhooks(ObjectNode configuration, boolean mutating) {
        for (ObjectNode hook : JsonTree.objects(configuration, "webhooks")) {
            JsonTree.text(hook, "failurePolicy", "Fail");
            JsonTree.text(hook, "matchPolicy", "Equivalent");
            JsonTree.number(hook, "timeoutSeconds", 10);
            if (mutating) {
                JsonTree.text(hook, "reinvocationPolicy", "Never");
            }
            selectors(hook);
            for (ObjectNode rule : JsonTree.objects(hook, "rules")) {
                JsonTree.text(rule, "scope", "*");
            }
            ObjectNode service = JsonTree.object(JsonTree.object(hook, "clientConfig"), "service");
            if (service != null) {
                JsonTree.number(service, "port", 443);
            }
        }
    }

    private static void selectors(ObjectNode target) {
        JsonTree.ensure(target, "namespaceSelector");
        JsonTree.ensure(target, "objectSelector");
    }

    private static void admissionPolicy(ObjectNode policy) {
        ObjectNode spec = JsonTree.ensure(policy, "spec");
        JsonTree.text(spec, "failurePolicy", "Fail");
        matchResources(JsonTree.object(spec, "matchConstraints"));
    }

    private static void policyBinding(ObjectNode binding) {
        matchResources(JsonTree.object(JsonTree.object(binding, "spec"), "matchResources"));
    }

    private static void matchResources(@Nullable ObjectNode match) {
        if (match == null) {
            return;
        }
        JsonTree.text(match, "matchPolicy", "Equivalent");
        selectors(match);
        for (String rules : new String[] {"resourceRules", "excludeResourceRules"}) {
            for (ObjectNode rule : JsonTree.objects(match, rules)) {
                JsonTree.text(rule, "scope", "*");
            }
        }
    }
}
