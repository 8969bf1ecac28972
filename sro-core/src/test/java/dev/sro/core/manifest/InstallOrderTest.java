package dev.sro.core.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.model.KubeObject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class InstallOrderTest {

    private static KubeObject object(String kind, String name) {
        return KubeObject.of(Map.of("apiVersion", "v1", "kind", kind, "metadata", Map.of("name", name)));
    }

    /** R1: Helm 3.7.1's order with those kinds that the original put before Service; unknown kinds alphabetically. */
    @Test
    void r1KindsComeInTheOrderOfTheOriginal() {
        List<String> kinds = List.of(
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
                "APIService",
                "Aardvark",
                "Zebra");
        List<KubeObject> objects = new ArrayList<>();
        kinds.forEach(kind -> objects.add(object(kind, "x")));
        Collections.shuffle(objects, new Random(1));
        objects.sort(InstallOrder.COMPARATOR);
        assertThat(objects).extracting(object -> object.ref().kind()).containsExactlyElementsOf(kinds);
    }

    @Test
    void withinAKindNamesDecide() {
        List<KubeObject> objects =
                new ArrayList<>(List.of(object("Secret", "b"), object("Secret", "a"), object("Zebra", "a")));
        objects.sort(InstallOrder.COMPARATOR);
        assertThat(objects).extracting(object -> object.ref().name()).containsExactly("a", "b", "a");
    }
}
