package dev.sro.api.resource;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

class CrdTest {
    private static final String REWRITE = "./mvnw -pl sro-api test -Dtest=CrdTest -Dsro.crd.write=true";

    /** Also the generator: with the system property it writes the file instead of comparing. */
    @Test
    void crdIsUpToDate() throws IOException {
        Path file = Path.of("src/main/resources", CrdYaml.FILE);
        String expected = CrdYaml.text(REWRITE);
        if (Boolean.getBoolean("sro.crd.write")) {
            Files.createDirectories(requireNonNull(file.getParent()));
            Files.writeString(file, expected);
        }

        assertThat(Files.readString(file))
                .as("the CRD no longer fits the classes; run: %s", REWRITE)
                .isEqualTo(expected);
    }

    @Test
    void generationIsDeterministic() {
        assertThat(CrdYaml.text(REWRITE)).isEqualTo(CrdYaml.text(REWRITE));
    }

    /** kubectl reads YAML 1.1, in which more plain words are not strings (True, yes, off). */
    @Test
    void textMeansTheSameToReadersOfYaml11() {
        Object read = new Yaml().load(CrdYaml.text(REWRITE));

        assertThat(read).isEqualTo(CrdYaml.definition());
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
        Map<String, String> types = new TreeMap<>();
        CrdYaml.schemaOf(CrdYaml.definition())
                .visit((path, schema) -> types.put(path, String.valueOf(schema.get("type"))));
        return types;
    }

    private static String resource(String name) throws IOException {
        try (var in = requireNonNull(CrdTest.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
