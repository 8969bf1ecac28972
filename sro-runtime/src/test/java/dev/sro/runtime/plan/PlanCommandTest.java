package dev.sro.runtime.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.runtime.Cli;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlanCommandTest {

    @TempDir
    private static Path pluginDirectory;

    @TempDir
    private Path directory;

    @BeforeAll
    static void buildPlugin() {
        Cli.plugins(pluginDirectory);
    }

    @ParameterizedTest
    @CsvSource({"kubernetes,text,kubernetes.txt", "kubernetes,json,kubernetes.json", "openshift,text,openshift.txt"})
    void printsTheWholeRecipe(String platform, String format, String golden) throws IOException {
        Cli cli = plan(file("simple-kmod.yaml"), file("nodes.yaml"), "--platform", platform, "-o", format);

        assertThat(cli.err()).isEmpty();
        assertThat(cli.code()).isZero();
        assertThat(cli.out()).isEqualToNormalizingNewlines(read(golden));
    }

    @Test
    void printsManifestsOnRequest() throws IOException {
        Cli cli = plan(file("simple-kmod.yaml"), file("nodes.yaml"), "-o", "yaml", "--manifests");

        assertThat(cli.code()).isZero();
        assertThat(cli.out()).contains("action: \"create\"", "moby/buildkit", "kernel-affine: \"true\"");
    }

    @Test
    void saysWhatWouldChangeAndWhatWouldGo() throws IOException {
        Path first = directory.resolve("first.yaml");
        Files.writeString(
                first, objectsOf(plan(file("simple-kmod.yaml"), file("nodes.yaml"), "-o", "yaml", "--manifests")));
        String onlyUbuntu = read("nodes.yaml").replace("5.14.0-427.50.1", "5.14.0-427.11.1");

        Cli cli = plan(file("simple-kmod.yaml"), write("nodes.yaml", onlyUbuntu), "--observed", first.toString());

        assertThat(cli.err()).isEmpty();
        assertThat(cli.out())
                .contains("+ Job simple-kmod/simple-kmod-driver-build-e4ab180856c6b1c8")
                .contains(
                        "- DaemonSet simple-kmod/simple-kmod-validation-79de22ce8656333   (no node needs it any more)")
                .contains("- Job simple-kmod/simple-kmod-driver-build-79de22ce8656333")
                .doesNotContain("+ Job simple-kmod/simple-kmod-driver-build-6d1425a686f2f04c");
    }

    @Test
    void showsPartitioning() throws IOException {
        Cli cli = planPartitioned("Auto");

        assertThat(cli.err()).doesNotContain("partitioning:");
        assertThat(cli.out())
                .contains("card-high", "PriorityClass", "key: \"acme.com/card\"", "MutatingAdmissionPolicyBinding");
    }

    @Test
    void showsNoPolicyWhereAdmissionIsTheBusinessOfOthers() throws IOException {
        Cli cli = planPartitioned("None");

        assertThat(cli.err()).doesNotContain("partitioning:");
        assertThat(cli.out()).contains("card-high").doesNotContain("MutatingAdmissionPolicy");
    }

    private Cli planPartitioned(String admission) throws IOException {
        Path resource = write(
                "cr.yaml",
                read("simple-kmod.yaml")
                        .replace(
                                "spec:\n",
                                "spec:\n"
                                        + "  partitioning: {admission: " + admission + ", hard: {taints: [{key:"
                                        + " acme.com/card}]}, soft: {priorityClasses: [{name: card-high, value:"
                                        + " 1000}]}}\n"));
        return plan(resource, file("nodes.yaml"), "-o", "yaml", "--manifests");
    }

    @Test
    void isIdleWithoutMatchingNodes() throws IOException {
        Path resource =
                write("cr.yaml", read("simple-kmod.yaml").replace("simple-device: \"true\"", "other: \"true\""));

        Cli cli = plan(resource, file("nodes.yaml"));

        assertThat(cli.code()).isZero();
        assertThat(cli.out()).contains("serves 0 of 5 nodes", "no node matches spec.nodeSelector");
    }

    @Test
    void namesTheKnownPluginsWhenOneIsUnknown() throws IOException {
        Path resource =
                write("cr.yaml", read("simple-kmod.yaml").replace("    name: simple-kmod", "    name: simple-kmob"));

        Cli cli = plan(resource, file("nodes.yaml"));

        assertThat(cli.code()).isEqualTo(1);
        assertThat(cli.out())
                .contains("UnknownPlugin (user)", "simple-kmob", "did you mean simple-kmod? Known names: simple-kmod");
    }

    @Test
    void warnsOfFieldsThatNobodyReads() throws IOException {
        Path resource = write("cr.yaml", read("simple-kmod.yaml").replace("nodeSelector:", "nodeselector:"));

        Cli cli = plan(resource, file("nodes.yaml"));

        assertThat(cli.err())
                .contains(
                        "document 1: field spec.nodeselector is not known and is ignored; did you mean nodeSelector?");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "kind: [                    | is not valid YAML",
                "text                       | a document is not an object",
                "{kind: Node}               | document 1: apiVersion is missing",
                "{apiVersion: v1, kind: Pod, metadata: {name: p}} | document 1: kind is Pod; only nodes belong here",
                "{apiVersion: v1, kind: Node, metadata: {}} | document 1: metadata.name is missing",
                "{apiVersion: v1, kind: Node, metadata: {name: n}, spec: {taints: 1}} | document 1, spec.taints",
                "{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Node}]} | document 1, item 1:"
                        + " metadata.name"
            })
    void saysWhereABadNodesFileIsWrong(String text, String message) throws IOException {
        Cli cli = plan(file("simple-kmod.yaml"), write("bad.yaml", text));

        assertThat(cli.code()).isEqualTo(2);
        assertThat(cli.out()).isEmpty();
        assertThat(cli.err()).contains("bad.yaml", message).doesNotContain("defect");
    }

    @Test
    void refusesWhatIsNotASpecialResource() {
        Cli cli = plan(file("nodes.yaml"), file("nodes.yaml"));

        assertThat(cli.code()).isEqualTo(2);
        assertThat(cli.err()).contains("item 1: is a v1/Node; a sro.openshift.io/v1beta1/SpecialResource is needed");
    }

    @Test
    void refusesMissingFilesAndOptions() {
        assertThat(plan(directory.resolve("none.yaml"), file("nodes.yaml")).err())
                .contains("none.yaml", "cannot be read (there is no such file)");
        Cli usage = Cli.run("plan", "-f", "x", "--platform", "openshift");
        assertThat(usage.code()).isEqualTo(2);
        assertThat(usage.err()).contains("--platform: needs --nodes FILE or --kernel RELEASE");
        assertThat(Cli.run(
                                "plan",
                                "-f",
                                file("simple-kmod.yaml").toString(),
                                "--nodes",
                                file("nodes.yaml").toString())
                        .err())
                .contains("--plugins: is needed");
    }

    private static Cli plan(Path resource, Path nodes, String... more) {
        List<String> args = new ArrayList<>(List.of(
                "plan",
                "-f",
                resource.toString(),
                "--nodes",
                nodes.toString(),
                "--plugins",
                pluginDirectory.toString()));
        args.addAll(List.of(more));
        return Cli.run(args.toArray(String[]::new));
    }

    /** The manifests that a plan printed, as the documents of what exists. */
    private static String objectsOf(Cli plan) {
        StringBuilder documents = new StringBuilder();
        boolean inManifest = false;
        for (String line : plan.out().lines().toList()) {
            if (line.equals("  manifest:")) {
                documents.append("---\n");
                inManifest = true;
            } else if (inManifest && (line.isEmpty() || line.startsWith("    "))) {
                documents.append(line.substring(Math.min(4, line.length()))).append('\n');
            } else {
                inManifest = false;
            }
        }
        return documents.toString();
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    private Path file(String name) {
        try {
            return write("given-" + name, read(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(String name) throws IOException {
        try (InputStream in = PlanCommandTest.class.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void aSpecialResourceIsPlannedWithWhatItNeedsFirst() {
        ChartFiles files = ChartFiles.in(directory);
        files.template("0000-first.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: first}\n");
        files.template("1000-second.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: second}\n");
        files.write("base/Chart.yaml", "apiVersion: v2\nname: base\nversion: 0.2.0\n");
        files.write("base/templates/0000-base.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: of-base}\n");
        files.write(
                "cr.yaml",
                text(directory.resolve("cr.yaml"))
                        + "  dependencies: [{chart: {name: base, version: 0.2.0, repository: {name: base, url: \""
                        + directory.resolve("base").toUri() + "\"}}}]\n");

        Cli cli = files.run("plan", "--kernel", ChartFiles.K1);

        assertThat(cli.out())
                .doesNotContain("not in the recipe any more")
                .containsPattern("(?s)SpecialResource base: chart base 0.2.0.*\\+ ConfigMap base/of-base.*"
                        + "SpecialResource demo: chart demo 0.1.0.*"
                        + "Dependencies, before all states.*\\+ SpecialResource base.*"
                        + "State 0000-first, later: when what it depends on is ready\n *\\+ ConfigMap demo/first.*"
                        + "State 1000-second, later: when 0000-first is ready\n *\\+ ConfigMap demo/second");
        assertThat(cli.code()).isZero();
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void whatCannotBeKnownIsNotAnnouncedToGo() throws IOException {
        Path first = directory.resolve("first.yaml");
        Files.writeString(
                first, objectsOf(plan(file("simple-kmod.yaml"), file("nodes.yaml"), "-o", "yaml", "--manifests")));
        Path resource =
                write("cr.yaml", read("simple-kmod.yaml").replace("    name: simple-kmod", "    name: simple-kmob"));

        Cli cli = plan(resource, file("nodes.yaml"), "--observed", first.toString());

        assertThat(cli.out()).contains("UnknownPlugin", "Later: 0 to create, 0 to change, 0 to delete");
    }
}
