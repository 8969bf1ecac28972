package dev.sro.api.resource;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.yaml.snakeyaml.Yaml;

class CrdTest {
    private static final String REWRITE = "./mvnw -pl sro-api test -Dtest=CrdTest -Dsro.crd.write=true";

    static Set<String> files() {
        return CrdYaml.DEFINITIONS.keySet();
    }

    private static Map<String, Object> definition(String file) {
        return requireNonNull(CrdYaml.DEFINITIONS.get(file)).get();
    }

    /** Also the generator: with the system property it writes the file instead of comparing. */
    @ParameterizedTest
    @MethodSource("files")
    void crdIsUpToDate(String name) throws IOException {
        Path file = Path.of("src/main/resources", name);
        String expected = CrdYaml.text(REWRITE, definition(name));
        if (Boolean.getBoolean("sro.crd.write")) {
            Files.createDirectories(requireNonNull(file.getParent()));
            Files.writeString(file, expected);
        }

        assertThat(Files.readString(file))
                .as("the CRD no longer fits the classes; run: %s", REWRITE)
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @MethodSource("files")
    void generationIsDeterministic(String file) {
        assertThat(CrdYaml.text(REWRITE, definition(file))).isEqualTo(CrdYaml.text(REWRITE, definition(file)));
    }

    /** kubectl reads YAML 1.1, in which more plain words are not strings (True, yes, off). */
    @ParameterizedTest
    @MethodSource("files")
    void textMeansTheSameToReadersOfYaml11(String file) {
        Object read = new Yaml().load(CrdYaml.text(REWRITE, definition(file)));

        assertThat(read).isEqualTo(definition(file));
    }

    /** Name, type and what is required of each property that the definition of SRO 4.12 has. */
    @Test
    void everyPropertyOfTheOriginalPreflightIsThere() {
        assertThat(propertyTypes(PreflightCrd.definition()))
                .containsAllEntriesOf(Map.of(
                        "spec.debug", "boolean",
                        "spec.updateImage", "string",
                        "status.srStatuses", "array",
                        "status.srStatuses[].lastTransitionTime", "string",
                        "status.srStatuses[].name", "string",
                        "status.srStatuses[].statusReason", "string",
                        "status.srStatuses[].verificationStatus", "string"));
        assertThat(CrdYaml.schemaOf(PreflightCrd.definition())
                        .at("status.srStatuses[].verificationStatus")
                        .keywords())
                .hasEntrySatisfying(
                        "enum",
                        values -> assertThat(values)
                                .asInstanceOf(LIST)
                                .containsExactlyInAnyOrder("True", "False", "Error", "Unknown"));
    }

    /** The same for modules. */
    @Test
    void everyPropertyOfTheOriginalModuleIsThere() {
        assertThat(propertyTypes(ModuleCrd.definition()))
                .containsAllEntriesOf(Map.of(
                        "spec.chart", "object",
                        "spec.chart.repository.insecure_skip_tls_verify", "boolean",
                        "spec.namespace", "string",
                        "spec.set", "object",
                        "spec.watch[].path", "string",
                        "spec.watch[].namespace", "string",
                        "spec.watch[].selector[].exclude", "boolean",
                        "status.versions{}.complete", "boolean",
                        "status.versions{}.reconciledTemplates", "array"));
        SchemaTree root = CrdYaml.schemaOf(ModuleCrd.definition());
        assertThat(root.at("spec").keywords()).containsEntry("required", List.of("chart", "namespace", "watch"));
        assertThat(root.at("spec.watch[]").keywords()).containsEntry("required", List.of("apiVersion", "kind", "path"));
    }

    /** The table was written down from the CustomResourceDefinition that SRO 4.12 installs. */
    @Test
    void everyPropertyOfTheOriginalIsThereWithItsType() throws IOException {
        Map<String, String> original = new TreeMap<>();
        for (String line : resource("original-properties.txt").lines().toList()) {
            if (!line.isBlank() && !line.startsWith("#")) {
                String[] pair = line.trim().split(" +", 2);
                original.put(pair[0], pair[1]);
            }
        }

        assertThat(original).hasSize(76);
        assertThat(propertyTypes()).containsAllEntriesOf(original);
    }

    static Map<String, String> propertyTypes() {
        return propertyTypes(CrdYaml.definition());
    }

    private static Map<String, String> propertyTypes(Map<String, Object> definition) {
        Map<String, String> types = new TreeMap<>();
        CrdYaml.schemaOf(definition).visit((path, schema) -> types.put(path, String.valueOf(schema.get("type"))));
        return types;
    }

    private static String resource(String name) throws IOException {
        try (var in = requireNonNull(CrdTest.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
