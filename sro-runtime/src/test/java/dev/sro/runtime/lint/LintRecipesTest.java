package dev.sro.runtime.lint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.runtime.Cli;
import dev.sro.runtime.plan.ChartFiles;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Recipes of the first version, and those in directories and ConfigMaps, without a cluster. */
class LintRecipesTest {

    @TempDir
    private Path folder;

    private ChartFiles files;

    @BeforeEach
    void chart() {
        files = ChartFiles.in(folder);
    }

    private static final String CONFIG = """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: settings}
        data: {kernel: "{{.KernelVersion}}"}
        """;

    private static final String OWN = """
        apiVersion: sro.openshift.io/v1beta1
        kind: SpecialResource
        metadata: {name: demo}
        spec:
          namespace: demo
          nodeSelector: {example.com/device: "true"}
        """;

    @Test
    void recipesInDirectoriesAreLookedAtWithoutACluster() {
        files.write("recipe/0000-settings.yaml", CONFIG);
        files.write(
                "cr.yaml",
                OWN + "  recipe: {directory: \"" + folder.resolve("recipe").toUri() + "\"}\n");

        assertThat(files.lint().out()).contains("0 errors");
        assertThat(files.run("render", "--kernel", ChartFiles.K1).out()).contains("name: settings", ChartFiles.K1);
    }

    @ParameterizedTest
    @CsvSource({"demo,''", "other,'specialresource.openshift.io/hardware: demo'"})
    void recipesInConfigMapsAreLookedAtWithoutACluster(String name, String annotation) {
        files.write(
                "cr.yaml",
                OWN + "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + name
                        + ", namespace: demo, annotations: {" + annotation + "}}\ndata:\n  0000-settings.yaml: |\n"
                        + CONFIG.indent(4));

        assertThat(files.lint().out()).contains("0 errors");
        assertThat(files.run("render", "--kernel", ChartFiles.K1).out()).contains("name: settings", ChartFiles.K1);
    }

    @Test
    void aRecipeThatIsNotAmongTheFilesIsAskedFor() {
        files.write("cr.yaml", OWN);

        assertThat(files.lint().out()).contains("NoRecipe", "ConfigMap demo/demo", "give it with -f");
    }

    @Test
    void aKernelIsSelectedByTheLabelsOfEarlyRecipesToo() {
        files.write(
                "cr.yaml",
                OWN.replace("spec:", "spec:\n  node: {selector: vendor.example/card}")
                        + "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: demo, namespace: demo, annotations:"
                        + " {specialresource.openshift.io/nfd: vendor.example/other}}\ndata:\n  0000-settings.yaml: |\n"
                        + CONFIG.indent(4));

        assertThat(files.lint().out()).contains("0 errors").doesNotContain("NothingRendered");
    }

    @Test
    void aSpecialResourceOfTheFirstVersionIsToldWhatToChange() {
        files.write("cr.yaml", """
            apiVersion: sro.openshift.io/v1alpha1
            kind: SpecialResource
            metadata: {name: demo, namespace: gpu}
            spec: {size: 3, dependsOn: [{name: nfd, imageReference: "quay.io/x"}]}
            """);

        Cli cli = files.lint();

        assertThat(cli.err())
                .contains(
                        "apiVersion: write sro.openshift.io/v1beta1",
                        "spec.namespace: write gpu",
                        "spec.size: remove it",
                        "spec.dependsOn");
        assertThat(cli.code()).isEqualTo(2);
    }
}
