package dev.sro.runtime.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.model.ValueTrees;
import dev.sro.core.yaml.Yaml;
import dev.sro.core.yaml.YamlWriter;
import dev.sro.runtime.Cli;
import dev.sro.testkit.operator.SroSandbox;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.FieldValidateable;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import org.junit.jupiter.api.Test;

/**
 * SRO's own kinds in the documentation are taken by an API server with their definitions; a block that is the {@code spec} of a special
 * resource alone counts as one.
 */
class DocsObjectsTest {

    private static final Set<String> KINDS = Set.of("SpecialResource", "SpecialResourceModule", "PreflightValidation");

    private record Example(String page, Map<String, Object> object) {}

    private static List<Example> examples() throws IOException {
        List<Example> examples = new ArrayList<>();
        for (String page : DocsTest.pages().toList()) {
            for (MatchResult block : DocsTest.blocks("yaml", DocsTest.read(page))) {
                for (Map<String, Object> document : Yaml.documents(page, block.group(1))) {
                    if (KINDS.contains(ValueTrees.text(document, "kind"))) {
                        examples.add(new Example(page, document));
                    } else if (document.keySet().equals(Set.of("spec"))) {
                        Map<String, Object> spec = new LinkedHashMap<>(ValueTrees.map(document, "spec"));
                        spec.putIfAbsent("namespace", "example");
                        examples.add(new Example(
                                page,
                                Map.of(
                                        "apiVersion",
                                        "sro.openshift.io/v1beta1",
                                        "kind",
                                        "SpecialResource",
                                        "metadata",
                                        Map.of("name", "example"),
                                        "spec",
                                        spec)));
                    }
                }
            }
        }
        return examples;
    }

    @Test
    void anApiServerTakesThem() throws IOException {
        List<Example> examples = examples();
        assertThat(examples).hasSizeGreaterThan(5);
        List<String> refused = new ArrayList<>();
        try (SroSandbox sandbox = SroSandbox.create()) {
            sandbox
                    .client()
                    .load(new ByteArrayInputStream(Cli.run("crd").out().getBytes(StandardCharsets.UTF_8)))
                    .items()
                    .stream()
                    .filter(crd -> !crd.getMetadata().getName().startsWith("specialresources."))
                    .forEach(crd -> sandbox.client().resource(crd).create());
            sandbox.run(Duration.ofSeconds(2));
            for (Example example : examples) {
                GenericKubernetesResource object = sandbox.client()
                        .getKubernetesSerialization()
                        .unmarshal(YamlWriter.write(example.object()), GenericKubernetesResource.class);
                object.getMetadata().setName("example-" + examples.indexOf(example));
                try {
                    sandbox.client()
                            .genericKubernetesResources(new ResourceDefinitionContext.Builder()
                                    .withGroup("sro.openshift.io")
                                    .withVersion("v1beta1")
                                    .withKind(object.getKind())
                                    .withPlural(object.getKind().toLowerCase(Locale.ROOT) + "s")
                                    .withNamespaced(false)
                                    .build())
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
