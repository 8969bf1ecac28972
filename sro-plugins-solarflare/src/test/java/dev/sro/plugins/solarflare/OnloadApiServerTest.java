package dev.sro.plugins.solarflare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.testkit.contract.ManifestSchemas;
import dev.sro.testkit.controlplane.RealCluster;
import dev.sro.testkit.controlplane.RealControlPlane;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** Everything that the plugin, and SRO on its behalf, write is taken by a real API server, which knows every field of it. */
@RealControlPlane
@EnabledIfEnvironmentVariable(named = "SRO_CORPUS", matches = ".+", disabledReason = "no corpus here")
class OnloadApiServerTest {

    /** Of SRO's own states: the modules are loaded, container runtimes are told. */
    private static final List<String> KINDS = List.of(
            "v1/ConfigMap",
            "v1/ServiceAccount",
            "apps/v1/DaemonSet",
            "rbac.authorization.k8s.io/v1/Role",
            "rbac.authorization.k8s.io/v1/RoleBinding");

    private final List<String> refused = new ArrayList<>();
    private final Set<String> taken = new TreeSet<>();

    @Test
    void everyObjectOfEveryProfileIsTaken(RealCluster cluster) {
        ManifestSchemas schemas =
                ManifestSchemas.on(cluster.client(), Onload.crds().orElseThrow(), "nfd.k8s-sigs.io");

        for (boolean openShift : List.of(false, true)) {
            for (String profile : Onload.PROFILES.keySet()) {
                GoldenManifestsTest.rendered(openShift, profile)
                        .forEach(object -> offer(schemas, cluster, openShift + ", " + profile, object));
            }
        }

        assertThat(refused).isEmpty();
        assertThat(taken).hasSizeGreaterThan(30).anyMatch(name -> name.contains("NodeFeatureRule"));
    }

    @Test
    void whatLoadsTheModulesAndTellsRuntimesIsTaken(RealCluster cluster) {
        ManifestSchemas schemas =
                ManifestSchemas.on(cluster.client(), Onload.crds().orElseThrow(), "nfd.k8s-sigs.io");

        for (boolean openShift : List.of(false, true)) {
            written(openShift).forEach(object -> offer(schemas, cluster, String.valueOf(openShift), object));
        }

        assertThat(refused).isEmpty();
        for (String part : List.of(
                "false: DaemonSet onload-driver-load",
                "false: DaemonSet onload-runtime",
                "false: ConfigMap onload-runtime",
                "true: DaemonSet onload-driver-load",
                "true: Role onload-runtime")) {
            assertThat(taken).anyMatch(name -> name.startsWith(part));
        }
    }

    /** What a simulated cluster has of the special resource, as it was written. */
    private static List<GenericKubernetesResource> written(boolean openShift) {
        try (SroSandbox sandbox =
                openShift ? SroSandbox.createOpenShift(new OnloadPlugin()) : SroSandbox.create(new OnloadPlugin())) {
            sandbox.nodes().create("a", Onload.node(openShift ? OsRelease.RHCOS_9 : OsRelease.UBUNTU_22));
            sandbox.run(Duration.ofMinutes(2));
            sandbox.apply(Onload.RESOURCE);
            assertThat(sandbox.runUntil(Duration.ofHours(4), () -> sandbox.isReady("onload")))
                    .as(() -> String.valueOf(sandbox.get("onload").orElseThrow().getStatus()))
                    .isTrue();
            List<GenericKubernetesResource> all = new ArrayList<>();
            for (String kind : KINDS) {
                int slash = kind.lastIndexOf('/');
                all.addAll(sandbox.client()
                        .genericKubernetesResources(kind.substring(0, slash), kind.substring(slash + 1))
                        .inNamespace("onload")
                        .withLabel("sro.dev/special-resource", "onload")
                        .list()
                        .getItems());
            }
            return all;
        }
    }

    private void offer(ManifestSchemas schemas, RealCluster cluster, String where, GenericKubernetesResource object) {
        ObjectMeta meta = object.getMetadata();
        meta.setOwnerReferences(null);
        meta.setUid(null);
        meta.setResourceVersion(null);
        meta.setManagedFields(null);
        meta.setGeneration(null);
        object.getAdditionalProperties().remove("status");
        if (meta.getNamespace() != null) {
            meta.setNamespace(cluster.namespace());
        }
        List<String> errors = schemas.check(object);
        String name = where + ": " + object.getKind() + " " + meta.getName();
        if (errors.isEmpty()) {
            taken.add(name);
        } else {
            refused.add(name + ": " + errors);
        }
    }
}
