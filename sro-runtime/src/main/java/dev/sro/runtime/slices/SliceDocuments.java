package dev.sro.runtime.slices;

import dev.sro.core.model.FileErrors;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.yaml.Yaml;
import dev.sro.core.yaml.YamlException;
import dev.sro.runtime.UnusableInputException;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** ResourceSlices in files: documents, lists, of {@code resource.k8s.io/v1} and its betas. Stateless. */
final class SliceDocuments {
    private static final String GROUP = "resource.k8s.io/";

    private SliceDocuments() {}

    static List<ResourceSlice> read(List<Path> files) {
        KubernetesSerialization serialization = new KubernetesSerialization();
        List<ResourceSlice> slices = new ArrayList<>();
        for (Path file : files) {
            int before = slices.size();
            for (Map<String, Object> document : documents(file)) {
                List<Map<String, Object>> items = document.get("items") instanceof List<?>
                        ? ValueTrees.maps(document, "items")
                        : List.of(document);
                items.stream()
                        .filter(item -> ValueTrees.text(item, "apiVersion").startsWith(GROUP)
                                && ValueTrees.text(item, "kind").equals("ResourceSlice"))
                        .forEach(item -> slices.add(slice(file, item, serialization)));
            }
            if (slices.size() == before) {
                throw new UnusableInputException(file.toString(), "has no ResourceSlice");
            }
        }
        return slices;
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

    static ResourceSlice slice(Path file, Map<String, Object> item, KubernetesSerialization serialization) {
        String where = file + ", ResourceSlice " + ValueTrees.text(item, "metadata", "name");
        for (List<String> path :
                List.of(List.of("spec", "driver"), List.of("spec", "pool", "name"), List.of("metadata", "name"))) {
            if (ValueTrees.text(item, path.toArray(String[]::new)).isEmpty()) {
                throw new UnusableInputException(where, String.join(".", path) + " is missing");
            }
        }
        Map<String, Object> tree = ValueTrees.mutableCopy(item);
        Map<String, Object> spec = ValueTrees.ensureMap(tree, "spec");
        Map<String, Object> pool = ValueTrees.ensureMap(tree, "spec", "pool");
        pool.putIfAbsent("generation", 0L);
        pool.putIfAbsent("resourceSliceCount", 0L);
        FileChecks.whole(where, "spec.pool.generation", pool.get("generation"));
        FileChecks.whole(where, "spec.pool.resourceSliceCount", pool.get("resourceSliceCount"));
        spec.put(
                "devices",
                ValueTrees.maps(spec, "devices").stream()
                        .map(SliceDocuments::flat)
                        .toList());
        FileChecks.check(where, tree);
        try {
            return serialization.convertValue(tree, ResourceSlice.class);
        } catch (IllegalArgumentException e) {
            throw new UnusableInputException(where, "is not a ResourceSlice: " + firstLine(e));
        }
    }

    /** In {@code v1beta1} what a device is stands under {@code basic}. */
    private static Map<String, Object> flat(Map<String, Object> device) {
        Map<String, Object> flat = ValueTrees.mutableCopy(device);
        if (flat.remove("basic") instanceof Map<?, ?> basic) {
            basic.forEach((key, value) -> flat.put(String.valueOf(key), value));
        }
        return flat;
    }

    private static String firstLine(IllegalArgumentException e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }
}
