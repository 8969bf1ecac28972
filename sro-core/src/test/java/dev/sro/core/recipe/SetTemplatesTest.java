package dev.sro.core.recipe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SetTemplatesTest {
    private static final Map<String, Object> RUNTIME = Map.of(
            "kernelFullVersion", "4.18.0-305.45.1.el8_4.x86_64",
            "groupName", Map.of("driverContainer", "driver-container"),
            "proxy", Map.of("httpProxy", "http://p", "httpsProxy", "", "noProxy", "", "trustedCA", ""),
            "specialresource", Map.of("metadata", Map.of("name", "multi-build")));

    private final List<String> warnings = new ArrayList<>();

    private Map<String, Object> execute(Map<String, Object> set) {
        return SetTemplates.execute(set, RUNTIME, warnings);
    }

    @Test
    void executesWhatTheUserWrote() {
        String image = "docker.io/x/{{.Values.specialresource.metadata.name}}-{{.Values.groupName.driverContainer}}"
                + ":v{{.Values.kernelFullVersion}}";

        assertThat(execute(Map.of("imageToSign", image)))
                .containsEntry("imageToSign", "docker.io/x/multi-build-driver-container:v4.18.0-305.45.1.el8_4.x86_64");
        assertThat(warnings).isEmpty();
    }

    @Test
    void takesTheProxyInBothSpellings() {
        assertThat(execute(Map.of("a", "{{.Values.proxy.HttpProxy}} {{.Values.proxy.httpProxy}}")))
                .containsEntry("a", "http://p http://p");
    }

    @Test
    void reachesIntoListsAndKeepsEverythingElse() {
        Map<String, Object> set = new LinkedHashMap<>();
        set.put("gone", null);
        set.put("n", 3);
        set.put("args", List.of(Map.of("name", "K", "value", "{{ .Values.kernelFullVersion }}"), "plain"));

        Map<String, Object> executed = execute(set);

        assertThat(executed)
                .containsEntry("gone", null)
                .containsEntry("n", 3)
                .containsEntry("args", List.of(Map.of("name", "K", "value", "4.18.0-305.45.1.el8_4.x86_64"), "plain"));
    }

    @Test
    void leavesValuesWithoutTemplatesAsTheyAre() {
        Map<String, Object> set = Map.of("a", "}} {");

        assertThat(execute(set)).isSameAs(set);
    }

    @Test
    void saysWhatIsNotDefined() {
        assertThat(execute(Map.of("a", Map.of("b", "x{{ .Values.kernel }}y")))).hasToString("{a={b=xy}}");
        assertThat(warnings).containsExactly("spec.set.a.b: .Values.kernel is not defined and renders empty");
    }

    @Test
    void namesTheFieldWhoseTemplateIsWrong() {
        assertThatThrownBy(() -> execute(Map.of("list", List.of("{{ if }}"))))
                .isInstanceOfSatisfying(
                        RecipeFailure.class, e -> assertThat(e.problem().code()).isEqualTo("TemplateFailed"))
                .hasMessageContaining("spec.set.list[0]");
    }
}
