package dev.sro.runtime.gather;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedactionTest {
    @Test
    void hidesValuesOfSecretsAndKeepsTheirKeys() {
        assertThat(Redaction.object(Map.of("kind", "Secret", "data", Map.of("user", "YQ==", "tls.crt", "Yg=="))))
                .containsEntry("data", Map.of("user", "REDACTED", "tls.crt", "REDACTED"));
    }

    @Test
    void hidesWhatIsCalledASecretAndKeepsWhatNamesOne() {
        Map<String, Object> object = Map.of(
                "metadata",
                        Map.of(
                                "name", "x",
                                "managedFields", List.of(Map.of("manager", "m")),
                                "annotations",
                                        Map.of("kubectl.kubernetes.io/last-applied-configuration", "{}", "a", "b")),
                "spec",
                        Map.of(
                                "password", "p",
                                "secretName", "pull",
                                "serviceAccountTokenName", "t",
                                "automountServiceAccountToken", false,
                                "env",
                                        List.of(
                                                Map.of("name", "REGISTRY_PASSWORD", "value", "p"),
                                                Map.of(
                                                        "name",
                                                        "TOKEN",
                                                        "valueFrom",
                                                        Map.of("secretKeyRef", Map.of("name", "s"))),
                                                Map.of("name", "MODE", "value", "fast")),
                                "url", "https://me:word@git.example.com/x"));

        assertThat(Redaction.object(object))
                .isEqualTo(Map.of(
                        "metadata", Map.of("name", "x", "annotations", Map.of("a", "b")),
                        "spec",
                                Map.of(
                                        "password", "REDACTED",
                                        "secretName", "pull",
                                        "serviceAccountTokenName", "t",
                                        "automountServiceAccountToken", false,
                                        "env",
                                                List.of(
                                                        Map.of("name", "REGISTRY_PASSWORD", "value", "REDACTED"),
                                                        Map.of(
                                                                "name",
                                                                "TOKEN",
                                                                "valueFrom",
                                                                Map.of("secretKeyRef", Map.of("name", "s"))),
                                                        Map.of("name", "MODE", "value", "fast")),
                                        "url", "https://REDACTED@git.example.com/x")));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            cloning https://u:p@git.example.com/a | cloning https://REDACTED@git.example.com/a
            Authorization: Bearer abc.def-1 | Authorization: Bearer REDACTED
            got eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln today | got REDACTED today
            --password=hunter2 --user=me | --password=REDACTED --user=me
            token: abc, next | token: REDACTED, next
            AWS_SECRET_ACCESS_KEY=abc/def run | AWS_SECRET_ACCESS_KEY=REDACTED run
            login --registry-password hunter2 -u me | login --registry-password REDACTED -u me
            GET https://x/y?access_token=abc&page=2 | GET https://x/y?access_token=REDACTED&page=2
            {"auths": {"quay.io": {"auth": "YTpi"}}} | {"auths": {"quay.io": {"auth": REDACTED}}}
            Authorization: Basic YTpi | Authorization: Basic REDACTED
            using ghp_0123456789abcdefghij0123 for it | using REDACTED for it
            DB_PASS=x DBPASSWORD=y clientSecret: z | DB_PASS=REDACTED DBPASSWORD=REDACTED clientSecret: REDACTED
            secretName: pull, tokenPath=/x | secretName: pull, tokenPath=/x
            loaded module sfc in 3 s | loaded module sfc in 3 s
            """)
    void hidesWhatLooksLikeASecretInLogs(String line, String without) {
        assertThat(Redaction.text(line)).isEqualTo(without);
    }

    @Test
    void hidesPrivateKeys() {
        assertThat(Redaction.text("a\n-----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY-----\nb"))
                .isEqualTo("a\nREDACTED\nb");
    }

    @Test
    void hidesArgumentsThatFollowTheirOption() {
        assertThat(Redaction.object(Map.of(
                        "args", List.of("--docker-password", "hunter2", "--token=x", "--mode", "fast", "-token", "y"))))
                .containsEntry(
                        "args",
                        List.of(
                                "--docker-password",
                                "REDACTED",
                                "--token=REDACTED",
                                "--mode",
                                "fast",
                                "-token",
                                "REDACTED"));
    }

    @Test
    void hidesWhateverIsBelowTheKeyOfASecretButWhereItRefersTo() {
        assertThat(Redaction.object(Map.of(
                        "credentials", Map.of("user", "me", "pins", List.of(1, "2"), "active", true),
                        "imagePullSecrets", List.of(Map.of("name", "pull")),
                        "secret", Map.of("secretName", "s", "items", List.of(Map.of("key", "a", "path", "b"))))))
                .isEqualTo(Map.of(
                        "credentials",
                                Map.of("user", "REDACTED", "pins", List.of("REDACTED", "REDACTED"), "active", true),
                        "imagePullSecrets", List.of(Map.of("name", "pull")),
                        "secret", Map.of("secretName", "s", "items", List.of(Map.of("key", "a", "path", "b")))));
    }

    @Test
    void hidesBlocksOfYaml() {
        assertThat(Redaction.text("a: 1\npassword: |\n  hunter2\n  more\nb: 2\n"))
                .isEqualTo("a: 1\npassword: |\n  REDACTED\nb: 2\n");
    }

    @Test
    void keepsDefinitionsWhichHaveNoValues() {
        Map<String, Object> definition = Map.of(
                "kind",
                "CustomResourceDefinition",
                "spec",
                Map.of("properties", Map.of("password", Map.of("type", "string"))));
        assertThat(Redaction.object(definition)).isEqualTo(definition);
    }
}
