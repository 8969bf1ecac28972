package dev.sro.runtime.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sro.runtime.Cli;
import dev.sro.runtime.HttpSandbox;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PreflightCommandTest {
    @TempDir
    private Path folder;

    private HttpSandbox on;

    @BeforeEach
    void start() throws IOException {
        on = new HttpSandbox(folder);
        on.node("a", "one");
    }

    @AfterEach
    void close() {
        on.close();
    }

    private Cli preflight(String... args) {
        String[] all = new String[args.length + 2];
        System.arraycopy(args, 0, all, 0, args.length);
        all[args.length] = "--plugins";
        all[args.length + 1] = folder.resolve("plugins").toString();
        return on.run("preflight", all);
    }

    @Test
    void withoutSpecialResourcesThereIsNothingToSay() {
        Cli none = preflight("--kernel", "6.8.0-51-generic");

        assertThat(none.err()).isEmpty();
        assertThat(none.out()).isEqualTo("there are no special resources\n");
        assertThat(none.code()).isZero();
    }

    @Test
    void printsTheVerdictForPeopleAndForPrograms() throws IOException {
        on.sandbox.apply(HttpSandbox.resource("one"));
        on.sandbox.settle();

        Cli text = preflight("--kernel", "5.14.0-503.el9_5.x86_64");
        assertThat(text.err()).isEmpty();
        assertThat(text.out()).contains("amd64: kernel 5.14.0-503.el9_5.x86_64", "one  ");
        JsonNode json = new ObjectMapper()
                .readTree(preflight("--kernel", "5.14.0-503.el9_5.x86_64", "-o", "json")
                        .out());
        assertThat(json.at("/srStatuses/0/name").asText()).isEqualTo("one");
        String status = json.at("/srStatuses/0/verificationStatus").asText();
        assertThat(text.code()).isEqualTo(status.equals("True") ? 0 : 1);
        Object yaml = new KubernetesSerialization()
                .unmarshal(
                        preflight("--kernel", "5.14.0-503.el9_5.x86_64", "-o", "yaml")
                                .out(),
                        Object.class);
        assertThat(yaml).hasFieldOrProperty("conditions").asString().contains(status);
    }

    @Test
    void aNameThatIsNoSpecialResourceIsAnError() {
        Cli unknown = preflight("--kernel", "6.8.0-51-generic", "nobody");

        assertThat(unknown.code()).isEqualTo(1);
        assertThat(unknown.out()).contains("nobody  ERROR", "no special resource nobody");
    }

    @Test
    void refusesWhatItCannotUse() {
        assertThat(preflight().code()).isEqualTo(2);
        assertThat(preflight("--kernel", "1", "--update-image", "quay.io/x").code())
                .isEqualTo(2);
        assertThat(preflight("--update-image", "No/Image").err()).contains("--update-image", "is no image");
        assertThat(preflight("--kernel", "1", "--pull-secret", "pull").err()).contains("NAMESPACE/NAME");
        assertThat(preflight("--kernel", "1", "--registries-conf", "/nonexistent")
                        .err())
                .contains("there is no such file");
    }
}
