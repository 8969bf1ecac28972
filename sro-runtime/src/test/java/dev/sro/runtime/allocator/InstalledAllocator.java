package dev.sro.runtime.allocator;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The account of the allocator as it is installed, with its rights. Stateless. */
final class InstalledAllocator {
    static final String NAMESPACE = "special-resource-operator";
    static final String NAME = "sro-slices-allocator";
    static final String USER = "system:serviceaccount:" + NAMESPACE + ":" + NAME;

    private InstalledAllocator() {}

    /** In the order in which they can be made; the namespace, which others may have as well, is not among them. */
    static List<HasMetadata> objects() throws IOException {
        return read("slices-allocator/serviceaccount.yaml", "slices-allocator/rbac.yaml");
    }

    /** What it may do more where it serves pods that ask by limits. */
    static List<HasMetadata> limits() throws IOException {
        return read("slices-limits/limits-rbac.yaml");
    }

    private static List<HasMetadata> read(String... files) throws IOException {
        List<HasMetadata> objects = new ArrayList<>();
        KubernetesSerialization serialization = new KubernetesSerialization();
        for (String file : files) {
            try (InputStream yaml =
                    Files.newInputStream(Path.of("install", "kustomize").resolve(file))) {
                Object read = serialization.unmarshal(yaml);
                if (read instanceof Collection<?> several) {
                    several.forEach(each -> objects.add((HasMetadata) each));
                } else {
                    objects.add((HasMetadata) read);
                }
            }
        }
        return objects;
    }

    /** Makes the namespace if it is not there. */
    static void namespace(KubernetesClient client) {
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(NAMESPACE)
                        .endMetadata()
                        .build())
                .serverSideApply();
    }
}
