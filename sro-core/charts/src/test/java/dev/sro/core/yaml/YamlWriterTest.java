package dev.sro.core.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class YamlWriterTest {

    @Test
    void putsWhatNamesAnObjectFirstAndKeepsLines() {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("data", Map.of("run.sh", "#!/bin/sh\necho 1\n"));
        object.put("metadata", Map.of("name", "a", "labels", Map.of("b", "true")));
        object.put("kind", "ConfigMap");
        object.put("apiVersion", "v1");

        String yaml = YamlWriter.write(object);

        assertThat(yaml.lines())
                .containsSubsequence("apiVersion: v1", "kind: ConfigMap", "metadata:", "data:", "  run.sh: |")
                .contains("    b: \"true\"", "    echo 1");
        assertThat(Yaml.documents("test", yaml)).isEqualTo(List.of(object));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "yes",
                "0777",
                "1e3",
                "",
                " a ",
                "a: b",
                "- a",
                "# a",
                "null",
                "5.14",
                "1_000",
                "12:30",
                "~",
                "a #b",
                "@a",
                "\"quoted\"",
                "back\\slash",
                "tab\tin",
                "lines \nwith spaces  \n\n",
                "no end\nof line",
                "käse",
                "on"
            })
    void textsComeBackAsTheyAre(String text) {
        Map<String, Object> object = Map.of("kind", text, "spec", List.of(Map.of("a", text, text + "-", 1)));

        assertThat(Yaml.documents("test", YamlWriter.write(object))).isEqualTo(List.of(object));
    }
}
