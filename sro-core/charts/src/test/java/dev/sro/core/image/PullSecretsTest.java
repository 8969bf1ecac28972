package dev.sro.core.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PullSecretsTest {
    /** auth is a:b, c:d:e and f:g. */
    private static final String JSON = """
        {"auths": {"quay.io": {"auth": "YTpi", "email": "x@example.com"}, "quay.io/team": {"auth": "YzpkOmU="},
         "https://index.docker.io/v1/": {"auth": "Zjpn"}, "plain.local:5000": {"username": "u", "password": "p"}}}
        """;

    @ParameterizedTest
    @CsvSource({
        "quay.io/other/x, a, b",
        "quay.io/team/x, c, d:e",
        "quay.io/teams/x, a, b",
        "ubuntu, f, g",
        "plain.local:5000/x, u, p",
        "plain.local/x, '', ''"
    })
    void theLongestNameThatFitsCounts(String image, String username, String password) {
        assertThat(PullSecrets.parse("Secret", JSON).of(ImageReference.parse(image)))
                .isEqualTo(new PullSecrets.Login(username, password));
    }

    @Test
    void theOlderFormHasNoAuths() {
        assertThat(PullSecrets.parse("Secret", "{\"quay.io\": {\"auth\": \"YTpi\"}}")
                        .of(ImageReference.parse("quay.io/x"))
                        .username())
                .isEqualTo("a");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "geheim",
                "[]",
                "{\"auths\": {\"quay.io\": {\"auth\": \"geheim!\"}}}",
                "{\"auths\": {\"quay.io\": {\"auth\": \"Z2VoZWlt\"}}}"
            })
    void whatItCannotReadItDoesNotShow(String json) {
        assertThatThrownBy(() -> PullSecrets.parse("Secret ns/pull", json))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Secret ns/pull")
                .hasMessageNotContaining("geheim");
    }

    @Test
    void noTextHasAPassword() {
        assertThat(new PullSecrets.Login("user", "geheim").toString()).doesNotContain("geheim");
    }
}
