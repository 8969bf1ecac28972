package dev.sro.core.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.RecipeAccount;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DesiredHookTest {

    /** Who may write Secrets in the namespace may write records of releases. */
    @ParameterizedTest
    @ValueSource(strings = {"", "none", "kube-system/admin", "kmod/sro-recipe"})
    void whatWasRecordedDoesNotSayByWhoseRightsAHookRuns(String recorded) {
        KubeObject object = KubeObject.of(Map.of(
                "apiVersion",
                "batch/v1",
                "kind",
                "Job",
                "metadata",
                Map.of("name", "clean", "namespace", "kmod", "annotations", Map.of(MetadataKeys.ACCOUNT, recorded))));
        RecipeAccount account = new RecipeAccount("kmod", "sro-recipe");
        DesiredHook hook = DesiredHook.of(object, "hook.yaml");

        assertThat(RecipeAccount.of(hook.by(Optional.of(account)).object())).contains(account);
        assertThat(RecipeAccount.of(hook.by(Optional.empty()).object())).isEmpty();
    }
}
