package dev.sro.core.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GeneratedFieldsTest {
    private static final String PASSWORD = "[\"/data/a~1b\",\"/spec/list/1\"]";

    private static Map<String, Object> tree(String paths, String password, String user) {
        return Map.of(
                "apiVersion",
                "v1",
                "kind",
                "Secret",
                "metadata",
                Map.of("name", "login", "annotations", Map.of(MetadataKeys.GENERATED, paths)),
                "data",
                Map.of("a/b", password, "user", user),
                "spec",
                Map.of("list", List.of("same", password)));
    }

    private static KubeObject object(String paths, String password, String user) {
        return KubeObject.of(tree(paths, password, user));
    }

    @Test
    void whatIsGeneratedIsNoDifferenceAndTheRestIs() {
        String digest = GeneratedFields.digest(tree(PASSWORD, "one", "me"));
        assertThat(GeneratedFields.digest(tree(PASSWORD, "two", "me"))).isEqualTo(digest);
        assertThat(GeneratedFields.digest(tree(PASSWORD, "one", "you"))).isNotEqualTo(digest);
    }

    @Test
    void whatIsThereStays() {
        KubeObject kept = GeneratedFields.kept(object(PASSWORD, "new", "you"), object(PASSWORD, "old", "me"));
        assertThat(kept.tree()).isEqualTo(object(PASSWORD, "old", "you").tree());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "yes", "[", "[\"", "{", "\"\\u12", "[1,null,\"data\",\"\"]", "[\"/none/0/x\"]", "{}", "-"})
    void whatSomebodyElseWroteThereNamesNothing(String text) {
        KubeObject wanted = object(text, "new", "you");
        assertThat(GeneratedFields.kept(wanted, object(text, "old", "me")).tree())
                .isEqualTo(wanted.tree());
        assertThat(GeneratedFields.digest(tree(text, "one", "me")))
                .isNotEqualTo(GeneratedFields.digest(tree(text, "two", "me")));
    }
}
