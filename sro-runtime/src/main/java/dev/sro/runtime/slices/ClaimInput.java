package dev.sro.runtime.slices;

import dev.sro.core.claim.ClaimObjects;
import dev.sro.core.model.FileErrors;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.yaml.Yaml;
import dev.sro.core.yaml.YamlException;
import dev.sro.runtime.Clients;
import dev.sro.runtime.ClusterOptions;
import dev.sro.runtime.UnusableInputException;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Slices, claims, pods and nodes, of a cluster or of files. */
final class ClaimInput {
    private static final String GROUP = "resource.k8s.io/";

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Option(
            names = "--from",
            paramLabel = "FILE",
            description = {
                "Read no cluster but files with ResourceSlices, ResourceClaims, ResourceClaimTemplates, DeviceClasses,"
                        + " Pods and Nodes, or lists of them, YAML or JSON; - for standard input. May be given more than"
                        + " once. They come from",
                "kubectl get resourceslices,resourceclaims,resourceclaimtemplates,deviceclasses,pods,nodes -A -o yaml"
            })
    private List<Path> files = new ArrayList<>();

    ClaimObjects read() {
        return files.isEmpty() ? ofCluster() : ofFiles();
    }

    /** Whether files are read, and no cluster. */
    boolean ofGivenFiles() {
        return !files.isEmpty();
    }

    private ClaimObjects ofCluster() {
        Config config = cluster.config();
        try (KubernetesClient client = Clients.plain(config)) {
            return new ClaimObjects(
                    client.resources(ResourceSlice.class).list().getItems(),
                    client.resources(ResourceClaim.class)
                            .inAnyNamespace()
                            .list()
                            .getItems(),
                    client.resources(ResourceClaimTemplate.class)
                            .inAnyNamespace()
                            .list()
                            .getItems(),
                    client.resources(DeviceClass.class).list().getItems(),
                    client.pods().inAnyNamespace().list().getItems(),
                    client.nodes().list().getItems());
        } catch (KubernetesClientException e) {
            throw new UnusableInputException(
                    config.getMasterUrl(),
                    e.getCode() == HttpURLConnection.HTTP_NOT_FOUND
                            ? "has no resource.k8s.io/v1: slices by claims need Kubernetes 1.34 or later"
                            : Clients.message(e));
        }
    }

    private ClaimObjects ofFiles() {
        KubernetesSerialization serialization = new KubernetesSerialization();
        Found found = new Found();
        for (Path file : files) {
            int before = found.count;
            objects(file).forEach(item -> found.add(file, item, serialization));
            if (found.count == before) {
                throw new UnusableInputException(
                        file.toString(), "has none of ResourceSlice, ResourceClaim, DeviceClass, Pod and Node");
            }
        }
        return new ClaimObjects(found.slices, found.claims, found.templates, found.classes, found.pods, found.nodes);
    }

    /** All documents of a file, with the items of lists in their place. */
    static List<Map<String, Object>> objects(Path file) {
        List<Map<String, Object>> objects = new ArrayList<>();
        for (Map<String, Object> document : documents(file)) {
            if (document.get("items") instanceof List<?>) {
                objects.addAll(ValueTrees.maps(document, "items"));
            } else {
                objects.add(document);
            }
        }
        return objects;
    }

    private static List<Map<String, Object>> documents(Path file) {
        String name = file.toString().equals("-") ? "standard input" : file.toString();
        try {
            byte[] bytes = file.toString().equals("-") ? System.in.readAllBytes() : Files.readAllBytes(file);
            return Yaml.documents(name, new String(bytes, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UnusableInputException(name, "cannot be read (" + FileErrors.text(e) + ")");
        } catch (YamlException e) {
            throw new UnusableInputException(name, String.valueOf(e.getMessage()));
        }
    }

    /** Objects by kind. */
    private static final class Found {
        final List<ResourceSlice> slices = new ArrayList<>();
        final List<ResourceClaim> claims = new ArrayList<>();
        final List<ResourceClaimTemplate> templates = new ArrayList<>();
        final List<DeviceClass> classes = new ArrayList<>();
        final List<Pod> pods = new ArrayList<>();
        final List<Node> nodes = new ArrayList<>();
        int count;

        void add(Path file, Map<String, Object> item, KubernetesSerialization serialization) {
            String version = ValueTrees.text(item, "apiVersion");
            String kind = ValueTrees.text(item, "kind");
            if (version.startsWith(GROUP)) {
                switch (kind) {
                    case "ResourceSlice" -> add(slices, SliceDocuments.slice(file, item, serialization));
                    case "ResourceClaim" -> add(claims, of(file, item, serialization, ResourceClaim.class));
                    case "ResourceClaimTemplate" ->
                        add(templates, of(file, item, serialization, ResourceClaimTemplate.class));
                    case "DeviceClass" -> add(classes, of(file, item, serialization, DeviceClass.class));
                    default -> {}
                }
            } else if (version.equals("v1") && kind.equals("Pod")) {
                add(pods, of(file, item, serialization, Pod.class));
            } else if (version.equals("v1") && kind.equals("Node")) {
                add(nodes, of(file, item, serialization, Node.class));
            }
        }

        private <T> void add(List<T> all, T one) {
            all.add(one);
            count++;
        }

        private static <T extends HasMetadata> T of(
                Path file, Map<String, Object> item, KubernetesSerialization serialization, Class<T> type) {
            String name = ValueTrees.text(item, "metadata", "name");
            String where = file + ", " + type.getSimpleName() + " " + name;
            if (name.isEmpty() || !item.containsKey("spec")) {
                throw new UnusableInputException(where, (name.isEmpty() ? "metadata.name" : "spec") + " is missing");
            }
            FileChecks.check(where, item);
            Map<String, Object> tree = ValueTrees.mutableCopy(item);
            if (type.equals(Pod.class)
                    || type.equals(ResourceClaim.class)
                    || type.equals(ResourceClaimTemplate.class)) {
                ValueTrees.ensureMap(tree, "metadata").putIfAbsent("namespace", "default");
            }
            try {
                return serialization.convertValue(tree, type);
            } catch (IllegalArgumentException e) {
                throw new UnusableInputException(
                        where,
                        "is not a " + type.getSimpleName() + ": "
                                + String.valueOf(e.getMessage())
                                        .lines()
                                        .findFirst()
                                        .orElse(""));
            }
        }
    }
}
