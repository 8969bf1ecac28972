package dev.sro.runtime.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.model.ValueTrees;
import dev.sro.core.yaml.Yaml;
import dev.sro.core.yaml.YamlWriter;
import dev.sro.runtime.Cli;
import dev.sro.testkit.operator.SroSandbox;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.FieldValidateable;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Objects in the documentation, SRO's own and Kubernetes', are taken by an API server, which refuses fields that there are not. A block
 * that is the {@code spec} of a special resource alone, or its dependencies, counts as one.
 */
class DocsObjectsTest {

    private static final Set<String> SERVED = Set.of(
            "v1",
            "apps/v1",
            "batch/v1",
            "rbac.authorization.k8s.io/v1",
            "resource.k8s.io/v1",
            "sro.openshift.io/v1beta1");

    private record Example(String page, Map<String, Object> object) {}

    /** What of a block is given to an API server: all of it or nothing. */
    static List<Map<String, Object>> objects(PageBlocks.Block block) {
        List<Map<String, Object>> objects = new ArrayList<>();
        if (!block.language().equals("yaml") || block.text().startsWith("# src/main/resources/")) {
            return objects;
        }
        for (Map<String, Object> document : Yaml.documents(block.page(), block.text())) {
            if (document.keySet().equals(Set.of("spec"))) {
                objects.add(specialResource(ValueTrees.map(document, "spec")));
            } else if (document.keySet().equals(Set.of("dependencies"))) {
                objects.add(specialResource(document));
            } else if (SERVED.contains(ValueTrees.text(document, "apiVersion"))) {
                objects.add(document);
            } else {
                return List.of();
            }
        }
        return objects;
    }

    private static Map<String, Object> specialResource(Map<String, Object> fields) {
        Map<String, Object> spec = new LinkedHashMap<>(fields);
        spec.putIfAbsent("namespace", "example");
        return Map.of(
                "apiVersion",
                "sro.openshift.io/v1beta1",
                "kind",
                "SpecialResource",
                "metadata",
                Map.of("name", "example"),
                "spec",
                spec);
    }

    private static List<Example> examples() throws IOException {
        List<Example> examples = new ArrayList<>();
        for (PageBlocks.Block block : PageBlocks.all()) {
            objects(block).forEach(object -> examples.add(new Example(block.page(), object)));
        }
        return examples;
    }

    private static void prepare(SroSandbox sandbox, List<Example> examples) {
        sandbox
                .client()
                .load(new ByteArrayInputStream(Cli.run("crd").out().getBytes(StandardCharsets.UTF_8)))
                .items()
                .stream()
                .filter(crd -> !crd.getMetadata().getName().startsWith("specialresources."))
                .forEach(crd -> sandbox.client().resource(crd).create());
        Set<String> namespaces = new TreeSet<>();
        examples.forEach(example -> namespaces.add(ValueTrees.text(example.object(), "metadata", "namespace")));
        namespaces.remove("");
        namespaces.forEach(name -> sandbox.client()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .build())
                .create());
        sandbox.run(Duration.ofSeconds(2));
    }

    @Test
    void anApiServerTakesThem() throws IOException {
        List<Example> examples = examples();
        assertThat(examples).hasSizeGreaterThan(20);
        List<String> refused = new ArrayList<>();
        try (SroSandbox sandbox = SroSandbox.create()) {
            prepare(sandbox, examples);
            for (Example example : examples) {
                GenericKubernetesResource object = sandbox.client()
                        .getKubernetesSerialization()
                        .unmarshal(YamlWriter.write(example.object()), GenericKubernetesResource.class);
                object.getMetadata().setName("example-" + examples.indexOf(example));
                try {
                    sandbox.client()
                            .resource(object)
                            .fieldValidation(FieldValidateable.Validation.STRICT)
                            .create();
                } catch (KubernetesClientException e) {
                    refused.add(example.page() + ": " + e.getMessage() + "\n" + YamlWriter.write(example.object()));
                }
            }
        }
        assertThat(refused).isEmpty();
    }
}
