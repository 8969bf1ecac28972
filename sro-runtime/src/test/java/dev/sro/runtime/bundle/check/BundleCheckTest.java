package dev.sro.runtime.bundle.check;

import static dev.sro.runtime.bundle.GoodBundle.CSV;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.runtime.Cli;
import dev.sro.runtime.bundle.GoodBundle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A good bundle is broken in one place, and the check says so. */
class BundleCheckTest {

    private static final Map<BundleRule, Consumer<Map<String, String>>> BREAKS = new BrokenBundles().all();

    private static final String CRD = "manifests/preflightvalidations.sro.openshift.io.crd.yaml";

    @TempDir
    private static Path folder = Path.of("");

    private static Map<String, String> good = Map.of();

    @BeforeAll
    static void write() throws IOException {
        Path plugins = Cli.plugins(Files.createDirectories(folder.resolve("plugins")));
        Path bundle = folder.resolve("bundle");
        GoodBundle.write(folder, plugins, bundle);
        good = Bundle.read(bundle).files();
    }

    private static List<BundleFinding> check(Consumer<Map<String, String>> change) {
        Map<String, String> files = BrokenBundles.copy(good);
        change.accept(files);
        assertThat(files).as("the change changes something").isNotEqualTo(good);
        return BundleCheck.run(Bundle.of(files), false);
    }

    @Test
    void nothingIsSaidOfAGoodBundle() {
        assertThat(good).hasSizeGreaterThan(7);
        assertThat(BundleCheck.run(Bundle.of(good), true)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void eachRuleFindsWhatBreaksIt(BundleRule rule) {
        assertThat(BREAKS).containsKey(rule);
        List<BundleFinding> found = check(Objects.requireNonNull(BREAKS.get(rule)));

        assertThat(found)
                .filteredOn(finding -> finding.rule().equals(rule.text()))
                .isNotEmpty()
                .allSatisfy(finding -> {
                    assertThat(finding.isError()).isEqualTo(rule.isError());
                    assertThat(finding.where()).isNotBlank();
                    assertThat(finding.toString())
                            .startsWith(rule.isError() ? "error: " : "warning: ")
                            .endsWith(" [" + rule.text() + "]");
                });
    }

    @Test
    void aTagIsAnErrorWhereDigestsAreAskedFor() {
        Map<String, String> files = BrokenBundles.copy(good);
        Objects.requireNonNull(BREAKS.get(BundleRule.IMAGE_WITHOUT_DIGEST)).accept(files);

        assertThat(BundleCheck.run(Bundle.of(files), true))
                .singleElement()
                .satisfies(finding -> assertThat(finding.isError()).isTrue());
    }

    /** Path of what is removed, and what the finding says of it. */
    @ParameterizedTest
    @CsvSource({
        "apiVersion, apiVersion must be",
        "spec.scope, spec.scope is",
        "spec.names.kind, spec.names.kind is",
        "spec.versions.0.additionalPrinterColumns.0.name, printer column without name",
        "spec.versions.0.additionalPrinterColumns.0.jsonPath, printer column without jsonPath"
    })
    void definitionsThatAnApiServerRefusesAreInvalid(String path, String said) {
        List<BundleFinding> found = check(files -> BrokenBundles.edit(files, CRD, crd -> {
            int last = path.lastIndexOf('.');
            String parent = last < 0 ? "" : "/" + path.substring(0, last).replace('.', '/');
            ((ObjectNode) crd.at(parent)).remove(path.substring(last + 1));
        }));

        assertThat(found)
                .anySatisfy(finding -> assertThat(finding.toString())
                        .startsWith("error: " + CRD)
                        .contains(said)
                        .endsWith("[crd-invalid]"));
    }

    @ParameterizedTest
    @CsvSource({"singular, A", "listKind, 7", "singular, two words", "plural, ''"})
    void namesOfDefinitionsAreThoseThatAnApiServerTakes(String field, String name) {
        assertThat(check(files ->
                        BrokenBundles.edit(files, CRD, crd -> ((ObjectNode) crd.at("/spec/names")).put(field, name))))
                .extracting(BundleFinding::rule)
                .contains("crd-invalid");
    }

    private static List<String> rules(Consumer<ObjectNode> change) {
        return check(files -> BrokenBundles.edit(files, CSV, change)).stream()
                .map(BundleFinding::rule)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"generateName", "type", "deploymentName", "sideEffects", "admissionReviewVersions"})
    void aWebhookNeedsAllOfThese(String field) {
        ObjectNode webhook = webhook("ValidatingAdmissionWebhook");
        assertThat(rules(csv -> ((ObjectNode) csv.path("spec"))
                        .withArray("webhookdefinitions")
                        .add(webhook)))
                .isEmpty();
        webhook.remove(field);
        assertThat(rules(csv -> ((ObjectNode) csv.path("spec"))
                        .withArray("webhookdefinitions")
                        .add(webhook)))
                .containsExactly("webhook-invalid");
    }

    private static ObjectNode webhook(String type) {
        ObjectNode webhook = new ObjectMapper()
                .createObjectNode()
                .put("generateName", "w.example.com")
                .put("type", type)
                .put("deploymentName", "special-resource-operator")
                .put("sideEffects", "None");
        webhook.putArray("admissionReviewVersions").add("v1");
        return webhook;
    }

    @Test
    void aConversionWebhookIsForKindsOfTheBundleAndForAllNamespacesAlone() {
        ObjectNode webhook = webhook("ConversionWebhook");
        webhook.putArray("conversionCRDs").add("others.example.com");
        assertThat(rules(csv -> {
                    ObjectNode spec = (ObjectNode) csv.path("spec");
                    spec.withArray("webhookdefinitions").add(webhook);
                    ((ObjectNode) spec.path("installModes").path(0)).put("supported", true);
                }))
                .containsExactlyInAnyOrder("webhook-invalid", "install-modes");
        webhook.putArray("conversionCRDs").add("specialresources.sro.openshift.io");
        assertThat(rules(csv -> ((ObjectNode) csv.path("spec"))
                        .withArray("webhookdefinitions")
                        .add(webhook)))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"OwnNamespace\"", "\"Everywhere\""})
    void modesAreKnownAndThereOnce(String type) {
        assertThat(rules(csv -> ((ObjectNode)
                                csv.path("spec").path("installModes").path(3))
                        .put("type", type.replace("\"", ""))))
                .contains("install-modes");
    }

    @Test
    void rangesOfVersionsMayHaveAlternatives() {
        assertThat(rules(csv -> {
                    ((ObjectNode) csv.path("metadata").path("annotations"))
                            .put("olm.skipRange", ">=0.1.0 <0.1.5 || 0.1.7-rc.1");
                    ((ObjectNode) csv.path("spec")).put("replaces", "special-resource-operator.v0.1.9");
                }))
                .isEmpty();
        assertThat(check(files -> {
                    files.remove("bundle.Dockerfile");
                    BrokenBundles.edit(
                            files,
                            "metadata/annotations.yaml",
                            tree -> ((ObjectNode) tree.path("annotations"))
                                    .put("com.redhat.openshift.versions", "=v4.18"));
                }))
                .as("OpenShift 4.18 has Kubernetes 1.31")
                .isEmpty();
    }

    @Test
    void aFolderIsCheckedWhoeverWroteIt() throws IOException {
        Path bundle = folder.resolve("theirs");
        for (Map.Entry<String, String> file : good.entrySet()) {
            Path path = bundle.resolve(file.getKey());
            Files.createDirectories(Objects.requireNonNull(path.getParent()));
            Files.writeString(path, file.getValue());
        }
        Files.writeString(bundle.resolve("README.md"), "passed over");
        assertThat(Cli.run("bundle", bundle.toString(), "--check", "--strict")).isEqualTo(new Cli(0, "", ""));

        Files.writeString(bundle.resolve("manifests/more.yaml"), "kind: DaemonSet\nmetadata: {name: d}\n");
        Cli cli = Cli.run("bundle", bundle.toString(), "--check");
        assertThat(cli.code()).isEqualTo(1);
        assertThat(cli.out())
                .isEqualTo("error: manifests/more.yaml: the kind \"DaemonSet\" is not installed from bundles;"
                        + " let the operator make it, or leave it out [kind-not-allowed]\n");

        Cli none = Cli.run("bundle", folder.resolve("none").toString(), "--check");
        assertThat(none.code()).isEqualTo(2);
        assertThat(none.err()).contains("there is no such directory");
    }

    @Test
    void theDocumentationExplainsEachRuleAndNoOther() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "reference", "bundle.md"));
        List<String> explained = Pattern.compile("(?m)^\\| `([a-z-]+)` \\| (error|warning) \\|")
                .matcher(page)
                .results()
                .map(row -> row.group(1) + " " + row.group(2))
                .toList();
        assertThat(explained)
                .containsExactlyInAnyOrderElementsOf(Stream.of(BundleRule.values())
                        .map(rule -> rule.text() + (rule.isError() ? " error" : " warning"))
                        .toList());
    }
}
