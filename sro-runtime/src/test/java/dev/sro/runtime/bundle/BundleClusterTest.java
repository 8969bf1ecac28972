package dev.sro.runtime.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.yaml.Yaml;
import dev.sro.runtime.Cli;
import dev.sro.testkit.contract.ManifestSchemas;
import dev.sro.testkit.controlplane.RealCluster;
import dev.sro.testkit.controlplane.RealControlPlane;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real API server takes all that is in a bundle, strictly, but for the ClusterServiceVersion, whose kind it does not have. */
@RealControlPlane
class BundleClusterTest {

    private final ObjectMapper json = new ObjectMapper();

    @TempDir
    private Path folder;

    @Test
    void theApiServerTakesWhatABundleInstalls(RealCluster cluster) throws IOException {
        Path plugins = Cli.plugins(Files.createDirectories(folder.resolve("plugins")));
        Cli.plugin(plugins, "sro-plugins-nvidia", "nvidia-gpu");
        Cli.plugin(plugins, "sro-plugins-solarflare", "solarflare-onload");
        Path bundle = folder.resolve("bundle");
        GoodBundle.write(folder, plugins, bundle, "--webhook", "--builds");

        List<Map<String, Object>> objects = new ArrayList<>();
        Path definitions = Files.createDirectories(folder.resolve("definitions"));
        try (Stream<Path> files = Files.list(bundle.resolve("manifests"))) {
            for (Path file : files.sorted().toList()) {
                String text = Files.readString(file);
                Map<String, Object> object =
                        Yaml.documents(file.toString(), text).get(0);
                if ("CustomResourceDefinition".equals(object.get("kind"))) {
                    Files.writeString(definitions.resolve(object.hashCode() + ".yaml"), text);
                } else if ("ClusterServiceVersion".equals(object.get("kind"))) {
                    objects.addAll(installed(object));
                } else {
                    objects.add(object);
                }
            }
        }
        assertThat(objects).hasSizeGreaterThan(8);
        KubernetesSerialization serialization = new KubernetesSerialization();
        try (ManifestSchemas schemas = ManifestSchemas.on(cluster.client(), definitions)) {
            assertThat(schemas.checkAll(objects.stream()
                            .map(object -> serialization.convertValue(object, GenericKubernetesResource.class))
                            .toList()))
                    .isEmpty();
        }
    }

    /** What the Operator Lifecycle Manager makes of a ClusterServiceVersion, and what a console offers. */
    private List<Map<String, Object>> installed(Map<String, Object> csv) throws IOException {
        List<Map<String, Object>> objects = new ArrayList<>();
        Map<String, Object> install = ValueTrees.map(csv, "spec", "install", "spec");
        for (Map<String, Object> deployment : ValueTrees.maps(install, "deployments")) {
            Map<String, Object> object = object("apps/v1", "Deployment", ValueTrees.text(deployment, "name"));
            object.put("spec", ValueTrees.map(deployment, "spec"));
            objects.add(object);
        }
        for (String part : List.of("permissions", "clusterPermissions")) {
            for (Map<String, Object> permission : ValueTrees.maps(install, part)) {
                String kind = part.equals("permissions") ? "Role" : "ClusterRole";
                Map<String, Object> role =
                        object("rbac.authorization.k8s.io/v1", kind, "bundle-" + part.toLowerCase(Locale.ROOT));
                role.put("rules", ValueTrees.maps(permission, "rules"));
                objects.add(role);
            }
        }
        for (JsonNode example : json.readTree(ValueTrees.text(csv, "metadata", "annotations", "alm-examples"))) {
            objects.addAll(Yaml.documents("example", example.toString()));
        }
        return objects;
    }

    private static Map<String, Object> object(String apiVersion, String kind, String name) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("apiVersion", apiVersion);
        object.put("kind", kind);
        object.put("metadata", Map.of("name", name));
        return object;
    }
}
