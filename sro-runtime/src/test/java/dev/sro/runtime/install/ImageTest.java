package dev.sro.runtime.install;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sro.runtime.ExitCodes;
import dev.sro.runtime.Main;
import dev.sro.runtime.plan.ChartFiles;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is in the image, and whether the Deployment fits it. */
@Tag("image")
class ImageTest {

    private static final String FEATURES = """
        apiVersion: nfd.k8s-sigs.io/v1alpha1
        kind: NodeFeature
        metadata: {name: a, labels: {nfd.node.kubernetes.io/node-name: a}}
        spec: {features: {flags: {kernel.loadedmodule: {elements: {nvme: {}}}}}}
        ---
        apiVersion: nfd.k8s-sigs.io/v1alpha1
        kind: NodeFeatureRule
        metadata: {name: acme}
        spec:
          rules:
          - name: card
            labels: {acme.example/card: "true"}
            matchFeatures: [{feature: kernel.loadedmodule, matchExpressions: {nvme: {op: Exists}}}]
        """;

    @TempDir
    private static Path folder;

    private static ImageTar image;

    @BeforeAll
    static void unpack() throws Exception {
        image = ImageTar.unpack(folder);
    }

    private static PodSpec pod() throws IOException {
        String yaml = Files.readString(Path.of("install", "kustomize", "deployment.yaml"));
        return new KubernetesSerialization()
                .unmarshal(yaml, Deployment.class)
                .getSpec()
                .getTemplate()
                .getSpec();
    }

    @Test
    void runsAsTheDeploymentWantsIt() throws IOException {
        PodSpec pod = pod();
        Container container = pod.getContainers().get(0);
        JsonNode config = image.config().path("config");

        assertThat(pod.getSecurityContext().getRunAsNonRoot()).isTrue();
        assertThat(config.path("User").asText())
                .as("kubelets can tell of a number only that it is not root")
                .matches("[1-9][0-9]*:[1-9][0-9]*");
        assertThat(image.words("Entrypoint")).startsWith("java").endsWith(Main.class.getName());
        assertThat(image.words("Cmd")).isEqualTo(container.getArgs());
        assertThat(config.path("ExposedPorts").has(container.getPorts().get(0).getContainerPort() + "/tcp"))
                .isTrue();
        assertThat(container.getCommand()).as("the image says it").isEmpty();
    }

    @Test
    void hasTheOperatorAndNoTestLibraries() throws IOException {
        List<String> libraries = image.files("opt/sro/libs");

        assertThat(libraries)
                .anyMatch(name -> name.startsWith("sro-core-"))
                .anyMatch(name -> name.startsWith("sro-charts-"))
                .anyMatch(name -> name.startsWith("sro-apiserver-"))
                .anyMatch(name -> name.startsWith("kubernetes-httpclient-jdk-"))
                .noneMatch(
                        name -> name.matches(
                                "(sro-plugins|sro-testkit|sro-agent|sro-demo|sro-plugin-archetype|.*-tests\\.jar|junit|opentest4j|apiguardian|assertj).*"));
        assertThat(image.files("opt/sro/classpath")).singleElement().asString().startsWith("sro-runtime-");
    }

    /** With nothing on the class path but what the image has. */
    @ParameterizedTest
    @CsvSource({
        "lint -f cr.yaml --kernel 5.14.0-427.11.1.el9_4.x86_64, errors",
        "render -f cr.yaml --kernel 5.14.0-427.11.1.el9_4.x86_64, ConfigMap",
        "plan -f cr.yaml --kernel 5.14.0-427.11.1.el9_4.x86_64, demo",
        "features -f nfd.yaml, acme.example/card=true",
        "rbac --plugins opt/sro/plugins, specialresources/status",
        "plugins --plugins opt/sro/plugins, simple-kmod",
        "slices models, A100",
        "demo --help, Usage",
        "dev --help, Usage",
        "operator --help, Usage"
    })
    void everyKindOfCommandRunsInIt(String command, String said, @TempDir Path work) throws Exception {
        ChartFiles files = ChartFiles.in(work);
        files.template("1000-all.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: demo}\n");
        files.write("nfd.yaml", FEATURES);
        Said all = run(command, work);

        assertThat(all.code()).as(all.text()).isZero();
        assertThat(all.text()).contains(said).doesNotContain("NoClassDefFoundError");
    }

    @ParameterizedTest
    @CsvSource({
        "demo, demo --plain",
        "dev, dev -f cr.yaml --until-ready",
        "new, new acme --vendor Acme",
        "install-artifacts, install-artifacts"
    })
    void saysWhereTheCommandsForAPersonsMachineAre(String name, String command, @TempDir Path work) throws Exception {
        Said all = run(command, work);

        assertThat(all.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(all.text())
                .contains(name + ": is not in this installation", "or ./sro " + name + " in the repository");
    }

    private record Said(int code, String text) {}

    /** By the image's own Java where that runs, which has a part of the modules only. */
    private static Said run(String command, Path work) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>();
        Path top = image.root();
        if (image.runs()) {
            Files.setPosixFilePermissions(work, PosixFilePermissions.fromString("rwxr-xr-x"));
            words.addAll(image.inside(work));
            top = Path.of("/");
        }
        String libraries = top.resolve("opt/sro/libs") + "/*";
        String own = top.resolve("opt/sro/classpath") + "/*";
        words.addAll(List.of("java", "-cp", own + File.pathSeparator + libraries, Main.class.getName()));
        for (String word : command.split(" ")) {
            if (word.startsWith("opt/")) {
                words.add(top.resolve(word).toString());
            } else {
                Path file = work.resolve(word);
                words.add(Files.exists(file) ? file.toString() : word);
            }
        }
        Process process = new ProcessBuilder(words)
                .directory(work.toFile())
                .redirectErrorStream(true)
                .start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Said(process.waitFor(), text);
    }

    @Test
    void listsTheDigestsOfAllItsPlugins() throws Exception {
        List<String> plugins = image.files("opt/sro/plugins").stream()
                .filter(name -> !name.equals("PLUGINS.sha256"))
                .toList();
        StringBuilder expected = new StringBuilder();
        for (String plugin : plugins) {
            byte[] digest = MessageDigest.getInstance("SHA-256")
                    .digest(Files.readAllBytes(
                            image.root().resolve("opt/sro/plugins").resolve(plugin)));
            expected.append(HexFormat.of().formatHex(digest))
                    .append("  ")
                    .append(plugin)
                    .append('\n');
        }

        assertThat(plugins).anyMatch(name -> name.startsWith("sro-plugins-simplekmod-"));
        assertThat(Files.readString(image.root().resolve("opt/sro/plugins/PLUGINS.sha256")))
                .isEqualTo(expected.toString());
    }

    @Test
    void nobodyInItCanChangeAFile() {
        assertThat(image.entries())
                .isNotEmpty()
                .allSatisfy(entry -> assertThat(entry)
                        .matches("([-d]rw[-x]r-[-x]r-[-x]|lrwxrwxrwx) +0/0 .*|drwxrwxrwt 0/0 .* (\\./)?tmp/"));
    }

    @Test
    void sameSourcesMakeTheSameImage() {
        assertThat(image.entries())
                .as("no time of the build in it")
                .allSatisfy(entry -> assertThat(entry).contains(" 1970-01-01 00:00 "));
        JsonNode config = image.config();
        String created = config.path("created").asText();
        assertThat(Stream.concat(Stream.of(config.path("created")), config.findValues("created").stream()))
                .allMatch(time -> time.asText().equals(created));
        assertThat(image.words("Env")).noneMatch(variable -> variable.contains(System.getProperty("user.dir")));
    }

    @Test
    void saysWhatItIs() {
        JsonNode labels = image.config().path("config").path("Labels");

        assertThat(Stream.of("title", "description", "version", "licenses", "base.name"))
                .allMatch(name -> !labels.path("org.opencontainers.image." + name)
                        .asText()
                        .isEmpty());
    }
}
