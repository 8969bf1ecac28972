package dev.sro.core.recipe.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What registries ask for; a registry is whoever a recipe names. */
class OciChallengeTest {

    @Test
    void aTokenIsTakenWhereThereIsAChoice() {
        OciChallenge challenge = OciChallenge.of(List.of(
                        "Basic realm=\"here\"",
                        "Bearer realm=\"https://auth.example.com/to\\\"ken\", service=registry , scope=\"a,b\""))
                .orElseThrow();

        assertThat(challenge.scheme()).isEqualTo("bearer");
        assertThat(challenge.parameters())
                .containsEntry("realm", "https://auth.example.com/to\"ken")
                .containsEntry("service", "registry")
                .containsEntry("scope", "a,b");
    }

    /** With 31,000 characters this took minutes, or the stack. */
    @ParameterizedTest
    @Timeout(60)
    @ValueSource(strings = {"a", "\\a", "\"", "a ", "=", "a=\"\\", ",bearer ", "bearer,"})
    void noHeaderTakesTimeOrStack(String part) {
        String most = part.repeat((31 << 10) / part.length());
        String least = part.repeat((OciChallenge.MAX_LENGTH - 20) / part.length());

        assertThat(OciChallenge.of(List.of("Bearer realm=\"" + most + "\"", "Bearer " + most)))
                .isEmpty();
        assertThat(OciChallenge.of(List.of("Bearer " + least, "Bearer realm=\"" + least)))
                .isPresent();
    }
}
