package dev.sro.testkit.operator;

import dev.sro.api.resource.SpecialResource;
import dev.sro.testkit.EmbeddedCluster;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Locale;

/** Makes the cluster of a sandbox serve SRO's kinds, and those of operators that are not there. For one test on one thread. */
final class SandboxDefinitions {

    private static final String CRDS = "/META-INF/sro/crds/%s.sro.openshift.io.yaml";

    private final EmbeddedCluster cluster;
    private final KubernetesClient admin;

    SandboxDefinitions(EmbeddedCluster cluster, KubernetesClient admin) {
        this.cluster = cluster;
        this.admin = admin;
    }

    /** One of SRO's own, by the plural of its name. */
    void install(String plural) {
        try (InputStream yaml = SpecialResource.class.getResourceAsStream(CRDS.formatted(plural))) {
            create(admin.getKubernetesSerialization().unmarshal(yaml, CustomResourceDefinition.class));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** One whose objects may have any field. */
    void serve(String group, String version, String kind, String plural, boolean namespaced) {
        String definition = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: %4$s.%1$s}
            spec:
              group: %1$s
              scope: %5$s
              names: {kind: %3$s, plural: %4$s, singular: %6$s, listKind: %3$sList}
              versions:
              - name: %2$s
                served: true
                storage: true
                subresources: {status: {}}
                schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
            """.formatted(
                group, version, kind, plural, namespaced ? "Namespaced" : "Cluster", kind.toLowerCase(Locale.ROOT));
        define(admin.getKubernetesSerialization().unmarshal(definition, CustomResourceDefinition.class));
    }

    /** As its project defines it, unless it is there already. */
    void define(CustomResourceDefinition definition) {
        if (admin.resource(definition).get() == null) {
            create(definition);
        }
    }

    private void create(CustomResourceDefinition definition) {
        admin.resource(definition).create();
        cluster.settle();
    }
}
