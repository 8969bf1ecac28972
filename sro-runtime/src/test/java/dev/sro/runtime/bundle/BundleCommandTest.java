package dev.sro.runtime.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.core.manifest.AccountManifests;
import dev.sro.core.model.RelatedImages;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.yaml.Yaml;
import dev.sro.runtime.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BundleCommandTest {

    @TempDir
    private Path folder;

    private Path plugins = Path.of("");

    @BeforeEach
    void buildPlugins() throws IOException {
        plugins = Cli.plugins(Files.createDirectories(folder.resolve("plugins")));
    }

    private Cli bundle(String to, String... options) {
        return Cli.run(Stream.concat(
                        Stream.of("bundle", folder.resolve(to).toString(), "--plugins", plugins.toString()),
                        Stream.of(options))
                .toArray(String[]::new));
    }

    private static Map<String, String> files(Path folder) throws IOException {
        Map<String, String> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                files.put(folder.relativize(file).toString().replace('\\', '/'), Files.readString(file));
            }
        }
        return files;
    }

    private Map<String, Object> csv(String bundle) throws IOException {
        return Yaml.documents("csv", Files.readString(folder.resolve(bundle).resolve(GoodBundle.CSV)))
                .get(0);
    }

    /** What kubectl would install. */
    private List<Map<String, Object>> manifests(String... options) throws IOException {
        Path out = folder.resolve("install");
        Cli cli = Cli.run(Stream.concat(
                        Stream.of("manifests", out.toString(), "--plugins", plugins.toString()), Stream.of(options))
                .toArray(String[]::new));
        assertThat(cli.code()).isZero();
        return files(out.resolve("kustomize")).entrySet().stream()
                .flatMap(file -> Yaml.documents(file.getKey(), file.getValue()).stream())
                .toList();
    }

    private static Set<Object> rules(Map<String, Object> csv, String part) {
        return ValueTrees.maps(csv, "spec", "install", "spec", part).stream()
                .flatMap(entry -> ValueTrees.maps(entry, "rules").stream())
                .collect(Collectors.toSet());
    }

    private static Set<Object> rules(List<Map<String, Object>> objects, String... names) {
        return objects.stream()
                .filter(object -> String.valueOf(object.get("kind")).endsWith("Role"))
                .filter(object ->
                        names.length == 0 || Set.of(names).contains(ValueTrees.text(object, "metadata", "name")))
                .flatMap(object -> ValueTrees.maps(object, "rules").stream())
                .collect(Collectors.toSet());
    }

    @Test
    void everythingThatABundleNeedsIsThereAndTwoRunsAreEqual() throws IOException {
        GoodBundle.write(folder, plugins, folder.resolve("one"));
        GoodBundle.write(folder, plugins, folder.resolve("two"));

        Map<String, String> files = files(folder.resolve("one"));
        assertThat(files).isEqualTo(files(folder.resolve("two")));
        assertThat(files.keySet())
                .contains(
                        GoodBundle.CSV,
                        "manifests/specialresources.sro.openshift.io.crd.yaml",
                        "manifests/special-resource-operator.service.yaml",
                        "manifests/special-resource-operator.recipes-clusterrole.yaml",
                        "metadata/annotations.yaml",
                        "tests/scorecard/config.yaml",
                        "bundle.Dockerfile")
                .noneMatch(file -> file.matches(".*(networkpolicy|serviceaccount|servicemonitor|webhook).*"));
        assertThat(files.get("tests/scorecard/config.yaml"))
                .contains("basic-check-spec", "olm-bundle-validation", "olm-status-descriptors");
    }

    @Test
    void rightsAreThoseOfTheOtherWaysToInstall() throws IOException {
        GoodBundle.write(folder, plugins, folder.resolve("bundle"), "--builds", "--partitioning");
        Map<String, Object> csv = csv("bundle");
        // What is bound to accounts of recipes is not the operator's, and a file of its own there and here; what
        // decides of slices is
        // another program, which a bundle does not install.
        List<Map<String, Object>> installed = manifests("--builds", "--partitioning").stream()
                .filter(object -> !AccountManifests.ROLE.equals(ValueTrees.text(object, "metadata", "name")))
                .filter(object -> !ValueTrees.text(object, "metadata", "name").startsWith("sro-slices"))
                .toList();

        assertThat(rules(csv, "permissions"))
                .as("in the operator's namespace")
                .isEqualTo(rules(installed, "special-resource-operator-lease"));
        Set<Object> all = new HashSet<>(rules(csv, "permissions"));
        all.addAll(rules(csv, "clusterPermissions"));
        assertThat(all).as("all of them, and no other").isEqualTo(rules(installed));
        assertThat(rules(csv, "clusterPermissions"))
                .as("events are in a namespace that a bundle cannot name")
                .containsAll(rules(installed, "special-resource-operator-events"));
    }

    @Test
    void theDeploymentIsThatOfTheOtherWaysToInstallWithTheDigestsOfOperands() throws IOException {
        GoodBundle.write(folder, plugins, folder.resolve("bundle"));
        Map<String, Object> csv = csv("bundle");
        String image = "registry.example/sro@sha256:" + "a".repeat(64);
        Map<String, Object> installed = manifests("--image", image).stream()
                .filter(object -> "Deployment".equals(object.get("kind")))
                .findFirst()
                .orElseThrow();

        Map<String, Object> deployment = ValueTrees.mutableCopy(
                ValueTrees.maps(csv, "spec", "install", "spec", "deployments").get(0));
        Map<String, Object> container = ValueTrees.maps(deployment, "spec", "template", "spec", "containers")
                .get(0);
        List<Map<String, Object>> variables = ValueTrees.maps(container, "env");
        Map<String, String> related = new TreeMap<>();
        variables.stream()
                .filter(variable -> ValueTrees.text(variable, "name").startsWith(RelatedImages.PREFIX))
                .forEach(
                        variable -> related.put(ValueTrees.text(variable, "name"), ValueTrees.text(variable, "value")));
        container.put(
                "env",
                variables.stream()
                        .filter(variable -> !related.containsKey(ValueTrees.text(variable, "name")))
                        .toList());
        assertThat(deployment.get("spec")).isEqualTo(installed.get("spec"));
        assertThat(deployment.get("name")).isEqualTo(ValueTrees.text(installed, "metadata", "name"));

        RelatedImages operator = RelatedImages.of(related);
        List<String> pulled = ValueTrees.maps(csv, "spec", "relatedImages").stream()
                .map(entry -> ValueTrees.text(entry, "image"))
                .toList();
        assertThat(Cli.run("plugins", "--images", "--plugins", plugins.toString())
                        .out()
                        .lines())
                .isNotEmpty()
                .allSatisfy(name ->
                        assertThat(operator.of(name)).contains("@sha256:").isIn(pulled));
        assertThat(pulled).contains(image).hasSize(related.size() + 1);
        assertThat(ValueTrees.text(csv, "metadata", "annotations", "features.operators.openshift.io/disconnected"))
                .isEqualTo("true");
    }

    @Test
    void tagsThatAreLeftAreWarnedOfAndRefusedWhereDigestsAreAskedFor() throws IOException {
        Cli cli = bundle("bundle", "--image", "registry.example/sro:1");

        assertThat(cli.code()).isZero();
        assertThat(cli.err().lines())
                .anySatisfy(line -> assertThat(line)
                        .startsWith("warning: ")
                        .contains("registry.example/sro:1 is named by a tag")
                        .endsWith("[image-without-digest]"));
        assertThat(ValueTrees.text(
                        csv("bundle"), "metadata", "annotations", "features.operators.openshift.io/disconnected"))
                .as("nobody claims what is not so")
                .isEqualTo("false");

        Cli refused = bundle("refused", "--require-digests");
        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.err()).contains("error: ").contains("[image-without-digest]");
        assertThat(folder.resolve("refused")).doesNotExist();
    }

    /** Those of SRO's own plugins have examples, and images by the dozen. */
    @Test
    void allPluginsOfSroMakeABundleWithoutAWarning() throws IOException {
        Cli.plugin(plugins, "sro-plugins-nvidia", "nvidia-gpu");
        Cli.plugin(plugins, "sro-plugins-solarflare", "solarflare-onload");

        GoodBundle.write(folder, plugins, folder.resolve("bundle"), "--webhook", "--monitoring");

        assertThat(ValueTrees.text(csv("bundle"), "metadata", "annotations", "alm-examples"))
                .contains("\"nvidia-gpu\"", "\"solarflare-onload\"", "\"simple-kmod\"", "SpecialResourceModule");
        assertThat(ValueTrees.maps(csv("bundle"), "spec", "relatedImages"))
                .anySatisfy(image -> assertThat(ValueTrees.text(image, "name")).startsWith("nvcr-io-nvidia-driver"));
        assertThat(files(folder.resolve("bundle")).keySet())
                .contains(
                        "manifests/special-resource-operator.webhook-service.yaml",
                        "manifests/special-resource-operator.servicemonitor.yaml",
                        "manifests/special-resource-operator.prometheusrule.yaml");
        assertThat(Files.readString(folder.resolve("bundle").resolve(GoodBundle.CSV)))
                .contains("\"0.0.0.0:9443\"", "service.beta.openshift.io/inject-cabundle=true");
    }

    @Test
    void channelsAndPlaceInTheGraphAreAsTold() throws IOException {
        GoodBundle.write(
                folder,
                plugins,
                folder.resolve("bundle"),
                "--channels",
                "fast,stable-v0",
                "--default-channel",
                "stable-v0",
                "--replaces",
                "0.1.0",
                "--skips",
                "0.1.1,special-resource-operator.v0.1.2",
                "--skip-range",
                ">=0.1.0 <0.2.0",
                "--openshift-versions",
                "v4.18-v4.22",
                "--arch",
                "amd64,arm64");
        Map<String, Object> csv = csv("bundle");

        assertThat(ValueTrees.text(csv, "metadata", "name")).isEqualTo("special-resource-operator.v0.2.0");
        assertThat(ValueTrees.text(csv, "spec", "replaces")).isEqualTo("special-resource-operator.v0.1.0");
        assertThat(ValueTrees.get(csv, "spec", "skips"))
                .isEqualTo(List.of("special-resource-operator.v0.1.1", "special-resource-operator.v0.1.2"));
        assertThat(ValueTrees.map(csv, "metadata", "labels")).containsKey("operatorframework.io/arch.arm64");
        assertThat(Files.readString(folder.resolve("bundle/metadata/annotations.yaml")))
                .contains("channels.v1: \"fast,stable-v0\"", "default.v1: \"stable-v0\"", "\"v4.18-v4.22\"");
    }

    @Test
    void oneWhoPublishesSaysWhoTheyAre() throws IOException {
        Files.write(folder.resolve("card.png"), new byte[] {1, 2, 3});
        Path about = Files.writeString(folder.resolve("acme.yaml"), """
            displayName: Acme Accelerators
            provider: {name: Acme Inc., url: "https://acme.example"}
            icon: card.png
            """);
        Path example = Files.writeString(folder.resolve("acme-cr.yaml"), """
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: acme}
            spec: {namespace: acme, plugin: {name: acme}}
            """);

        assertThat(bundle("bundle", "--about", about.toString(), "--example", example.toString())
                        .code())
                .isZero();

        Map<String, Object> csv = csv("bundle");
        assertThat(ValueTrees.text(csv, "spec", "displayName")).isEqualTo("Acme Accelerators");
        assertThat(ValueTrees.text(csv, "spec", "provider", "name")).isEqualTo("Acme Inc.");
        assertThat(ValueTrees.maps(csv, "spec", "icon"))
                .containsExactly(Map.of("base64data", "AQID", "mediatype", "image/png"));
        assertThat(ValueTrees.text(csv, "metadata", "annotations", "alm-examples"))
                .contains("\"acme\"");

        Files.writeString(about, "maintainer: []\n");
        Cli cli = bundle("bundle", "--about", about.toString());
        assertThat(cli.code()).isEqualTo(2);
        assertThat(cli.err()).startsWith("sro: " + about + ": maintainer: is none of displayName, ");
    }

    @Test
    void anExampleThatTheApiServerWouldRefuseIsNoExample() throws IOException {
        Path example = Files.writeString(folder.resolve("bad.yaml"), """
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: bad}
            spec: {plugin: {name: acme}}
            """);

        Cli cli = bundle("bundle", "--example", example.toString());

        assertThat(cli.code()).isEqualTo(1);
        assertThat(cli.err()).contains("[example-refused]").contains("spec.namespace");
        assertThat(folder.resolve("bundle")).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource({
        "--default-channel, beta, 1, [default-channel-unknown]",
        "--skip-range, about 1, 1, [skip-range-invalid]",
        "--bundle-version, 1.0, 1, [version-invalid]",
        "--min-kube-version, 1.28, 1, [kube-version-invalid]",
        "--openshift-versions, v5, 1, [openshift-versions]",
        "--openshift-versions, v4.14, 1, [kube-version-too-new]",
        "--created-at, today, 2, is no date and time such as",
        "--images, none, 2, there is no such file",
        "--example, none, 2, there is no such file",
        "--about, none, 2, there is no such file"
    })
    void whatMakesNoBundleIsSaidAndNothingWritten(String option, String value, int code, String said) {
        Cli cli = bundle("bundle", option, value);

        assertThat(cli.code()).isEqualTo(code);
        assertThat(cli.err()).contains(said);
        assertThat(folder.resolve("bundle")).doesNotExist();
    }

    @Test
    void aBundleReplacesItselfNever() {
        assertThat(bundle("bundle", "--bundle-version", "0.2.0", "--replaces", "0.2.0")
                        .err())
                .contains("[update-loop]");
    }

    @Test
    void filesOfAnotherBundleAreNotMixedIn() throws IOException {
        assertThat(bundle("bundle", "--monitoring").code()).isZero();

        Cli cli = bundle("bundle");

        assertThat(cli.code()).isEqualTo(2);
        assertThat(cli.err())
                .contains("has files of another bundle: manifests/special-resource-operator.dashboard.yaml, ")
                .contains("; remove them");
        assertThat(bundle("bundle", "--monitoring").code())
                .as("its own are replaced")
                .isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "quay.io/acme/driver:1, is not an image and its digest",
        "quay.io/acme/driver:1 sha256:12, is not an image and its digest",
    })
    void aListOfDigestsIsReadStrictly(String line, String said) throws IOException {
        Path file = Files.writeString(folder.resolve("list"), "# images\n\n" + line + "\n");

        Cli cli = bundle("bundle", "--images", file.toString());

        assertThat(cli.code()).isEqualTo(2);
        assertThat(cli.err()).startsWith("sro: " + file + " line 3: ").contains(said);
    }

    @Test
    void aDigestMayStandBehindItsImage() {
        String digest = "sha256:" + "b".repeat(64);
        Map<String, String> digests = PinnedImages.digests(
                "list", "localhost:5000/x:1 localhost:5000/x@" + digest + " # ours\nbusybox:1 " + digest);

        assertThat(PinnedImages.pinned("localhost:5000/x:1", digests)).isEqualTo("localhost:5000/x@" + digest);
        assertThat(PinnedImages.pinned("localhost:5000/y", digests)).isEqualTo("localhost:5000/y");
        assertThat(PinnedImages.of(List.of("busybox:1"), digests).variables())
                .containsExactly(
                        Map.of("name", "RELATED_IMAGE_DOCKER_IO_LIBRARY_BUSYBOX_1", "value", "busybox@" + digest));
    }

    @Test
    void imagesThatOneVariableWouldNameAreRefused() {
        assertThatThrownBy(() -> PinnedImages.of(List.of("quay.io/a/b:1.0", "quay.io/a/b:1-0"), Map.of()))
                .hasMessageContaining("differs from quay.io/a/b:1.0 in punctuation alone");
    }

    @Test
    void aFileThatIsNoPluginMakesNoBundle() throws IOException {
        Files.writeString(plugins.resolve("broken.jar"), "no archive");

        Cli cli = bundle("bundle");

        assertThat(cli.code()).isEqualTo(1);
        assertThat(cli.err()).startsWith("rejected: ").contains("broken.jar");
        assertThat(folder.resolve("bundle")).doesNotExist();
    }
}
