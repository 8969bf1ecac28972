package dev.sro.runtime.gather;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.runtime.Cli;
import dev.sro.runtime.HttpSandbox;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MustGatherCommandTest {
    @TempDir
    private Path folder;

    private HttpSandbox on;

    @BeforeEach
    void start() throws IOException {
        on = new HttpSandbox(folder);
        on.node("a", "one");
        on.sandbox.apply(HttpSandbox.resource("one").replace("git.example.com", "me:word@git.example.com"));
        on.sandbox.run(Duration.ofMinutes(5));
    }

    @AfterEach
    void close() {
        on.close();
    }

    private static Map<String, String> files(Path root) throws IOException {
        Map<String, String> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(root)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                files.put(root.relativize(file).toString().replace('\\', '/'), Files.readString(file));
            }
        }
        return files;
    }

    @Test
    void gathersWhatBelongsToSroWithoutSecrets() throws IOException {
        Path out = folder.resolve("out");
        Cli cli = on.run("must-gather", out.toString());

        assertThat(cli.err()).isEmpty();
        Map<String, String> files = files(out);
        assertThat(files)
                .containsKeys(
                        "specialresources/one.yaml",
                        "definitions/specialresources.sro.openshift.io.yaml",
                        "nodes/a.yaml",
                        "operands/Namespace-one.yaml",
                        "operands/one/ConfigMap-one-driver-build.yaml",
                        "events/default.tsv",
                        "summary.txt");
        assertThat(files.keySet())
                .anyMatch(name -> name.matches("operands/one/DaemonSet-one-driver-container-.*\\.yaml"))
                .anyMatch(name -> name.matches("pods/one/one-validation-.*\\.yaml"));
        assertThat(files.values()).noneMatch(text -> text.contains("word@") || text.contains("managedFields"));
        assertThat(files.get("specialresources/one.yaml")).contains("https://REDACTED@git.example.com");
        assertThat(files.get("events/default.tsv")).contains("SpecialResource one");
        assertThat(cli.out()).endsWith(files.size() + " files in " + out + "\n");
    }

    /** In each of these forms somebody has a secret in his manifests; none of them may leave the cluster. */
    @Test
    void noSecretThatWasPlantedComesOut() throws IOException {
        plant("Secret", "planted", "data: {odd-name: Z2VoZWltLTE=}\nstringData: {odd: geheim-2}");
        plant("ConfigMap", "planted", """
                data:
                  app.env: |
                    DB_PASSWORD=geheim-3
                    export AWS_SECRET_ACCESS_KEY="geheim-4"
                  app.json: '{"clientSecret": "geheim-5", "auths": {"quay.io": {"auth": "geheim-6"}}}'
                  app.yaml: |
                    db:
                      password: geheim-7
                      token: |
                        geheim-8
                  registry-password: geheim-9
                  url: https://user:geheim-10@example.com/x?access_token=geheim-11
                binaryData: {key.p12: Z2VoZWltLTEy}
                """);
        plant("Pod", "planted", """
                spec:
                  containers:
                  - name: c
                    image: example.com/c:1
                    command: [sh, -c, "login --password geheim-13 && TOKEN=geheim-14 run"]
                    args: [--api-key, geheim-15, --registry-token=geheim-16]
                    env:
                    - {name: REGISTRY_PASSWORD, value: geheim-17}
                    - {name: NGC_API_KEY, value: geheim-18}
                    - {name: MODE, value: fast}
                """);
        Path out = folder.resolve("out");
        on.run("must-gather", out.toString());

        Map<String, String> files = files(out);
        assertThat(files).containsKeys("operands/one/ConfigMap-planted.yaml", "pods/one/planted.yaml");
        assertThat(files.get("pods/one/planted.yaml")).contains("value: \"fast\"", "value: \"REDACTED\"");
        files.forEach((name, text) ->
                assertThat(text).as(name).doesNotContain("geheim").doesNotContain("Z2VoZWlt"));
    }

    private void plant(String kind, String name, String rest) {
        String yaml = """
            apiVersion: v1
            kind: %s
            metadata:
              name: %s
              namespace: one
              labels: {"specialresource.openshift.io/owned": "true"}
              annotations: {example.com/webhook-token: geheim-19, example.com/login: "https://a:geheim-20@b"}
            """.formatted(kind, name) + rest;
        on.sandbox.cluster().client().resource(yaml).create();
    }

    @Test
    void goesOnWhereSomethingCannotBeRead() throws IOException {
        on.sandbox.cluster().faults().rule().verbs("list").resources("nodes").forbidden();
        Path out = folder.resolve("out");
        Cli cli = on.run("must-gather", out.toString());

        assertThat(cli.code()).isEqualTo(1);
        assertThat(cli.out()).contains("missing: nodes: ");
        assertThat(files(out).keySet())
                .contains("specialresources/one.yaml")
                .noneMatch(name -> name.startsWith("nodes"));
        assertThat(files(out).get("summary.txt")).contains("missing: nodes: ");
    }

    @Test
    void writesIntoNoFolderThatIsInUse() {
        Cli cli = on.run("must-gather", folder.toString());

        assertThat(cli.code()).isEqualTo(2);
        assertThat(cli.err()).isEqualTo("sro: " + folder + ": is not an empty folder\n");
    }
}
