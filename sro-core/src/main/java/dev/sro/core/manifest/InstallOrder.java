package dev.sro.core.manifest;

import dev.sro.core.model.KubeObject;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The order in which objects of one state are written: Helm's, with SRO's additions before Service. Stateless. */
public final class InstallOrder {

    /** Helm 3.7.1's order of kinds with those that the Special Resource Operator put before Service. */
    private static final List<String> KINDS = List.of(
            "Namespace",
            "NetworkPolicy",
            "ResourceQuota",
            "LimitRange",
            "PodSecurityPolicy",
            "PodDisruptionBudget",
            "ServiceAccount",
            "Secret",
            "SecretList",
            "ConfigMap",
            "StorageClass",
            "PersistentVolume",
            "PersistentVolumeClaim",
            "CustomResourceDefinition",
            "ClusterRole",
            "ClusterRoleList",
            "ClusterRoleBinding",
            "ClusterRoleBindingList",
            "Role",
            "RoleList",
            "RoleBinding",
            "RoleBindingList",
            "Certificate",
            "Issuer",
            "SecurityContextConstraints",
            "ImageStream",
            "BuildConfig",
            "Service",
            "DaemonSet",
            "Pod",
            "ReplicationController",
            "ReplicaSet",
            "Deployment",
            "HorizontalPodAutoscaler",
            "StatefulSet",
            "Job",
            "CronJob",
            "Ingress",
            "APIService");

    private static final Map<String, Integer> RANK = ranks();

    /** By kind, then namespace and name; kinds that are not in the list come last, alphabetically. */
    public static final Comparator<KubeObject> COMPARATOR = Comparator.comparingInt(
                    (KubeObject object) -> rank(object.ref().kind()))
            .thenComparing(object -> object.ref().kind())
            .thenComparing(object -> object.ref().namespace())
            .thenComparing(object -> object.ref().name());

    private InstallOrder() {}

    private static int rank(String kind) {
        return RANK.getOrDefault(kind, KINDS.size());
    }

    private static Map<String, Integer> ranks() {
        Map<String, Integer> ranks = new HashMap<>();
        for (int i = 0; i < KINDS.size(); i++) {
            ranks.put(KINDS.get(i), i);
        }
        return Map.copyOf(ranks);
    }
}
