package dev.sro.core.recipe.generated;

import dev.sro.api.ClusterFacts;
import dev.sro.api.ProxySettings;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.client.source.PretendedMaps;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.fixture.Nodes;
import dev.sro.core.fixture.Resources;
import dev.sro.core.recipe.generated.Blueprint.Era;
import dev.sro.core.recipe.generated.Blueprint.Place;
import dev.sro.core.recipe.source.StateFiles;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The cluster in which a generated recipe runs: OpenShift with nodes, a proxy, the recipe and its special resource. Stateless. */
final class RecipeCluster {

    static final String VERSION = "4.8.12";
    static final String PUSH_SECRET = "builder-dockercfg-x7k2p";
    static final String OS_IMAGE = "quay.io/openshift/os@sha256:0123";
    static final String TRUSTED_CA = "user-ca-bundle";
    static final String PROMETHEUS_URL = "https://prometheus-k8s.openshift-monitoring.svc:9091";
    static final String PROMETHEUS_PASS = "s3cret";

    /** What containers get of it. */
    static final Map<String, String> PROXY = new LinkedHashMap<>();

    static {
        PROXY.put("HTTP_PROXY", "http://proxy.example.com:3128");
        PROXY.put("HTTPS_PROXY", "https://proxy.example.com:3129");
        PROXY.put("NO_PROXY", ".cluster.local,10.0.0.0/8");
    }

    private static final String ELSEWHERE = "recipes";
    private static final String OTHER_NAME = "the-recipe";

    private RecipeCluster() {}

    static String proxy(String variable) {
        return PROXY.getOrDefault(variable, "");
    }

    static ClusterFacts facts() {
        ClusterFacts.Builder facts = ClusterFacts.builder()
                .kubernetesVersion("v1.21.0")
                .openShiftVersion(VERSION)
                .machineOsImage(OS_IMAGE)
                .putPushSecrets(Blueprint.SPACE, PUSH_SECRET)
                .proxy(new ProxySettings(proxy("HTTP_PROXY"), proxy("HTTPS_PROXY"), proxy("NO_PROXY"), TRUSTED_CA));
        for (Kind kind : Kind.values()) {
            facts.addServedKinds(kind.apiVersion + "/" + kind.word);
            if (kind.cluster) {
                facts.addClusterScopedKinds(kind.apiVersion + "/" + kind.word);
            }
        }
        return facts.build();
    }

    static ObservedNode node(Blueprint.Machine machine) {
        Kernel kernel = machine.kernel();
        ObservedNode node = Nodes.node(machine.name(), kernel.raw(), kernel.os(), "amd64");
        for (Map.Entry<String, String> label : machine.labels().entrySet()) {
            node = Nodes.label(node, label.getKey(), label.getValue());
        }
        for (String taint : machine.taints()) {
            node = Nodes.taint(node, taint);
        }
        return node;
    }

    /** The special resource of the recipe. */
    static SpecialResource resource(Blueprint blueprint, Path folder) {
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put("namespace", Blueprint.SPACE);
        spec.put("nodeSelector", blueprint.nodeSelector());
        if (blueprint.place() == Place.REFERRED) {
            spec.put("recipe", Map.of("configMap", Map.of("namespace", ELSEWHERE, "name", OTHER_NAME)));
        } else if (blueprint.place() == Place.FOLDER) {
            spec.put("recipe", Map.of("directory", folder.toUri().toString()));
        }
        if (!blueprint.needs().isEmpty()) {
            spec.put(
                    "dependsOn",
                    blueprint.needs().keySet().stream()
                            .map(name -> Map.of("name", name, "imageReference", "registry.example.com/" + name + ":v1"))
                            .toList());
        }
        if (blueprint.era() == Era.OF_2021) {
            if (!blueprint.nodeFeature().isEmpty()) {
                spec.put("node", Map.of("selector", blueprint.nodeFeature()));
            }
            spec.put("configuration", List.of(Map.of("name", "key", "value", List.of(Blueprint.CONFIGURED))));
            spec.put("driverContainer", driverContainer(blueprint));
        }
        return Resources.withSpec(Blueprint.RESOURCE, spec);
    }

    private static Map<String, Object> driverContainer(Blueprint blueprint) {
        List<Map<String, String>> arguments = new ArrayList<>();
        blueprint
                .arguments()
                .forEach((name, value) ->
                        arguments.add(Map.of("name", name, "value", BlueprintPrinter.ofResource(value))));
        return Map.of(
                "source",
                Map.of("git", Map.of("ref", Blueprint.GIT_REF, "uri", "https://git.example.com/a.git")),
                "buildArgs",
                arguments,
                "artifacts",
                Map.of("hostPaths", List.of(Map.of("sourcePath", "/usr/src", "destinationDir", "/dst"))));
    }

    /** The recipe where the special resource looks for it, and beside it what it must not find. */
    static StateFiles files(Blueprint blueprint, SortedMap<String, String> files, Path folder, Clock clock) {
        List<ConfigMap> maps = new ArrayList<>();
        Place place = blueprint.place();
        maps.add(map(Blueprint.SPACE, "aaa-other", Map.of("0000-x.yaml", "wrong"), true, "other-hardware", ""));
        maps.add(map("default", Blueprint.RESOURCE, Map.of("0000-x.yaml", "wrong"), true, Blueprint.RESOURCE, ""));
        if (place == Place.FOLDER) {
            write(files, folder);
        } else {
            boolean early = blueprint.era() == Era.OF_2020;
            maps.add(map(
                    place == Place.REFERRED ? ELSEWHERE : Blueprint.SPACE,
                    place == Place.NAMED ? Blueprint.RESOURCE : OTHER_NAME,
                    files,
                    early,
                    early ? blueprint.hardware() : "",
                    early ? blueprint.nodeFeature() : ""));
        }
        if (place != Place.LABELLED) {
            maps.add(map(
                    Blueprint.SPACE, "labelled", Map.of("0000-x.yaml", "wrong"), true, Blueprint.RESOURCE, "no-node"));
        }
        return PretendedMaps.of(clock, maps, secrets(blueprint.prometheus()));
    }

    private static void write(SortedMap<String, String> files, Path folder) {
        files.forEach((name, text) -> {
            try {
                Files.createDirectories(folder.resolve(name).getParent());
                Files.writeString(folder.resolve(name), text);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private static ConfigMap map(
            String namespace,
            String name,
            Map<String, String> data,
            boolean labelled,
            String hardware,
            String feature) {
        Map<String, String> annotations = new TreeMap<>();
        if (!hardware.isEmpty()) {
            annotations.put(Item.PREFIX + "hardware", hardware);
        }
        if (!feature.isEmpty()) {
            annotations.put(Item.PREFIX + "nfd", feature);
        }
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .withLabels(labelled ? Map.of(Item.PREFIX + "config", "true") : Map.of())
                .withAnnotations(annotations)
                .endMetadata()
                .withData(data)
                .build();
    }

    private static List<Secret> secrets(Blueprint.Prometheus prometheus) {
        String password = switch (prometheus) {
            case EARLY -> "\"basicAuthPassword\": \"" + PROMETHEUS_PASS + "\"";
            case LATE -> "\"secureJsonData\": {\"basicAuthPassword\": \"" + PROMETHEUS_PASS + "\"}";
            default -> "\"basicAuth\": false";
        };
        String text = "{\"apiVersion\": 1, \"datasources\": [{\"url\": \"" + PROMETHEUS_URL + "\", " + password + "}]}";
        String data = Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
        Secret secret = new SecretBuilder()
                .withNewMetadata()
                .withNamespace("openshift-monitoring")
                .withName("grafana-datasources")
                .endMetadata()
                .withData(Map.of("prometheus.yaml", data))
                .build();
        return prometheus == Blueprint.Prometheus.NONE ? List.of() : List.of(secret);
    }
}
