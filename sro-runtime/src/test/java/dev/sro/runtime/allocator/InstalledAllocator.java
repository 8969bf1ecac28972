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
        List<HasMetadata> objects = new ArrayList<>();
        KubernetesSerialization serialization = new KubernetesSerialization();
        for (String file : List.of("serviceaccount.yaml", "rbac.yaml")) {
            try (InputStream yaml = Files.newInputStream(Path.of("install", "kustomize", "slices-allocator", file))) {
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
