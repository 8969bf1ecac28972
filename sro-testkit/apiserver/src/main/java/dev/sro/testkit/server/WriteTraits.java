package dev.sro.testkit.server;

import java.util.Map;
import java.util.Set;

/** What the registry of a built-in kind says of writes, and how often the server looks at metadata on the way. Stateless. */
final class WriteTraits {
    private static final Set<String> CREATE_ON_UPDATE = Set.of(
            "Role",
            "RoleBinding",
            "ClusterRole",
            "ClusterRoleBinding",
            "Lease",
            "Event",
            "Service",
            "Endpoints",
            "LimitRange",
            "LeaseCandidate",
            "RuntimeClass");

    private static final Set<String> NEEDS_VERSION = Set.of(
            "Lease",
            "PodDisruptionBudget",
            "CustomResourceDefinition",
            "RuntimeClass",
            "CSIDriver",
            "CSINode",
            "CSIStorageCapacity",
            "VolumeAttachment",
            "ValidatingAdmissionPolicy",
            "ValidatingAdmissionPolicyBinding",
            "MutatingAdmissionPolicy",
            "MutatingAdmissionPolicyBinding",
            "PodCertificateRequest",
            "ClusterTrustBundle",
            "StorageVersionMigration",
            "StorageVersion",
            "LeaseCandidate",
            "ValidatingWebhookConfiguration",
            "MutatingWebhookConfiguration");

    private static final Set<String> LAX_FINALIZERS = Set.of(
            "CustomResourceDefinition",
            "APIService",
            "Lease",
            "LeaseCandidate",
            "PodDisruptionBudget",
            "Event",
            "RuntimeClass",
            "ValidatingAdmissionPolicy",
            "ValidatingAdmissionPolicyBinding",
            "MutatingAdmissionPolicy",
            "MutatingAdmissionPolicyBinding",
            "ValidatingWebhookConfiguration",
            "MutatingWebhookConfiguration");

    /** Kinds whose own validation leaves the metadata of a change to the generic one. */
    private static final Set<String> GENERIC_COMPARISON = Set.of(
            "ValidatingWebhookConfiguration",
            "MutatingWebhookConfiguration",
            "ValidatingAdmissionPolicy",
            "ValidatingAdmissionPolicyBinding",
            "MutatingAdmissionPolicy",
            "MutatingAdmissionPolicyBinding",
            "LimitRange",
            "PodDisruptionBudget",
            "EndpointSlice",
            "FlowSchema",
            "PriorityLevelConfiguration");

    /** Counted on a server of version 1.36; all others have four. */
    private static final Map<String, Integer> METADATA_CHECKS = Map.ofEntries(
            Map.entry("Service", 3),
            Map.entry("PodTemplate", 3),
            Map.entry("NetworkPolicy", 3),
            Map.entry("DaemonSet", 3),
            Map.entry("Deployment", 3),
            Map.entry("StatefulSet", 3),
            Map.entry("ReplicaSet", 3),
            Map.entry("CronJob", 3),
            Map.entry("PriorityClass", 3),
            Map.entry("Lease", 3),
            Map.entry("LimitRange", 3),
            Map.entry("ResourceQuota", 3),
            Map.entry("ReplicationController", 3),
            Map.entry("CSIDriver", 3),
            Map.entry("CSINode", 3),
            Map.entry("VolumeAttachment", 3),
            Map.entry("HorizontalPodAutoscaler", 3),
            Map.entry("EndpointSlice", 3),
            Map.entry("ValidatingWebhookConfiguration", 3),
            Map.entry("MutatingWebhookConfiguration", 3),
            Map.entry("FlowSchema", 3),
            Map.entry("PriorityLevelConfiguration", 3),
            Map.entry("CustomResourceDefinition", 3),
            Map.entry("PodDisruptionBudget", 2),
            Map.entry("Event", 2));

    private static final int USUAL_CHECKS = 4;

    private WriteTraits() {}

    /** Whether an update makes what is not there. */
    static boolean createsOnUpdate(String kind) {
        return CREATE_ON_UPDATE.contains(kind);
    }

    /** Whether an update without a version is taken. */
    static boolean unconditionalUpdate(String kind) {
        return !NEEDS_VERSION.contains(kind);
    }

    /** Whether finalizers must be standard names or carry a domain. */
    static boolean strictFinalizers(String kind) {
        return !LAX_FINALIZERS.contains(kind);
    }

    /** Whether the kind's own validation of a change compares the metadata too. */
    static boolean comparesMetadata(String kind) {
        return !GENERIC_COMPARISON.contains(kind);
    }

    /** How often the server looks at the metadata of a changed object. */
    static int metadataChecks(String kind) {
        return METADATA_CHECKS.getOrDefault(kind, USUAL_CHECKS);
    }
}
