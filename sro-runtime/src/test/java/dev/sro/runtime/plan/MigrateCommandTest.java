package dev.sro.runtime.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.runtime.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MigrateCommandTest {

    private static final String FIRST = """
        apiVersion: sro.openshift.io/v1alpha1
        kind: SpecialResource
        metadata:
          name: gpu
          namespace: gpu-recipes
          uid: 1-2-3
          resourceVersion: "5"
          labels: {team: a}
          annotations: {kubectl.kubernetes.io/last-applied-configuration: "{}"}
        """;

    private static final String RECIPE = """
        ---
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: %1$s-recipe
          namespace: gpu-recipes
          labels: {specialresource.openshift.io/config: "true"}
          annotations: {specialresource.openshift.io/hardware: %1$s}
        data:
          0000-settings.yaml: |
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: settings-of-%1$s}
        """;

    @TempDir
    private Path folder;

    private Cli migrate(String text) throws IOException {
        return Cli.run(
                "migrate", Files.writeString(folder.resolve("old.yaml"), text).toString());
    }

    @Test
    void fieldsThatThereStillAreStay() throws IOException {
        Cli cli = migrate(FIRST + """
            spec:
              schedulingType: TaintsTolerations
              taints: [{key: nvidia.com/gpu, effect: NoSchedule}]
              recipe: {directory: "file:///recipes/gpu"}
            status: {state: Ready}
            """);

        assertThat(cli.err()).isEmpty();
        assertThat(cli.code()).isZero();
        assertThat(cli.out())
                .contains(
                        "apiVersion: sro.openshift.io/v1beta1",
                        "team: a",
                        "namespace: gpu-recipes",
                        "schedulingType: TaintsTolerations",
                        "nvidia.com/gpu")
                .doesNotContain("uid", "resourceVersion", "annotations", "status");
    }

    @Test
    void whatCannotBeConvertedIsSaidFieldByField() throws IOException {
        Cli cli = migrate(FIRST.replace("  uid:", "  ownerReferences: [{kind: Deployment, name: a}]\n  uid:") + """
            spec:
              size: 3
              color: red
              nodeSelector: none
              dependsOn: [{name: nfd, imageReference: "quay.io/nfd"}, {imageReference: "quay.io/b"}, plain]
            """);

        assertThat(cli.code()).isOne();
        assertThat(cli.err())
                .containsPattern("note: .*old.yaml, document 1: spec.size: it is left out")
                .containsPattern("not converted: .*document 1: spec.color: there is no such field")
                .containsPattern("not converted: .*document 1: spec.nodeSelector: .*correct it")
                .containsPattern("not converted: .*spec.dependsOn\\[0\\].imageReference: .*special resource nfd")
                .containsPattern("not converted: .*spec.dependsOn\\[1\\]: it has no name")
                .containsPattern("not converted: .*metadata.ownerReferences: ")
                .containsPattern("not converted: .*spec.recipe: the first version took every ConfigMap");
        assertThat(cli.out()).contains("name: nfd", "name: plain").doesNotContain("imageReference", "size", "color");
    }

    @Test
    void eachRecipeOfTheNamespaceGetsItsOwnAndIsLookedAtAsItIs() throws IOException {
        Cli cli = migrate(FIRST + "spec: {}\n" + RECIPE.formatted("one") + RECIPE.formatted("two"));

        assertThat(cli.err()).isEmpty();
        assertThat(cli.code()).isZero();
        assertThat(cli.out()).containsOnlyOnce("name: one\n").containsOnlyOnce("name: two\n");

        String made = Files.writeString(folder.resolve("new.yaml"), cli.out()).toString();
        Cli render = Cli.run("render", "-f", made, "--kernel", ChartFiles.K1);
        assertThat(render.err()).isEmpty();
        assertThat(render.out()).contains("name: settings-of-one", "name: settings-of-two");
    }

    @Test
    void theNamespaceInTheMetadataOfTheSpecBecomesItsOwnField() throws IOException {
        String early = """
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: lustre}
            spec:
              metadata: {namespace: storage, creationTimestamp: null, labels: {a: b}}
              dependsOn: [{name: base, imageReference: "true"}]
            ---
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: base}
            spec: {dependsOn: []}
            """;
        Cli cli = migrate(early);

        assertThat(cli.out())
                .contains("namespace: storage", "namespace: base", "name: base", "imageReference")
                .doesNotContain("creationTimestamp", "labels");
        assertThat(cli.err()).contains("spec.metadata.labels: it is left out").doesNotContain("spec.recipe", "<nil>");
        Cli plan = Cli.run("plan", "-f", folder.resolve("old.yaml").toString(), "--kernel", ChartFiles.K1);
        assertThat(plan.err())
                .contains("is of an earlier version, which API servers refuse today; spec.metadata: remove it;"
                        + " spec.namespace: write storage; \"sro migrate FILE\" does it");
    }

    /** Whoever forgot the field has written nothing of an earlier version. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"{managementState: Managed} | , or \"sro migrate FILE\" does it", "{} |''"})
    void aForgottenNamespaceIsARequiredValue(String spec, String orElse) throws IOException {
        Path file = Files.writeString(folder.resolve("forgotten.yaml"), """
                apiVersion: sro.openshift.io/v1beta1
                kind: SpecialResource
                metadata: {name: lustre}
                spec: %s
                """.formatted(spec));

        Cli plan = Cli.run("plan", "-f", file.toString(), "--kernel", ChartFiles.K1);

        assertThat(plan.code()).isEqualTo(2);
        assertThat(plan.err())
                .contains("spec.namespace: Required value; the original took the name of the special resource, write"
                        + " lustre" + orElse + "\n")
                .doesNotContain("earlier version");
    }

    @Test
    void twoOfOneNameAreNotBoth() throws IOException {
        Cli cli = migrate(FIRST + "---\n" + FIRST.replace("gpu-recipes", "others"));

        assertThat(cli.code()).isOne();
        assertThat(cli.err()).contains("metadata.name: a special resource gpu is in the file already");
        assertThat(cli.out()).containsOnlyOnce("kind: SpecialResource");
    }

    @Test
    void whatIsOfTodayNeedsNothing() throws IOException {
        Cli cli = migrate("apiVersion: sro.openshift.io/v1beta1\nkind: SpecialResource\nmetadata: {name: a}\n");

        assertThat(cli.code()).isEqualTo(2);
        assertThat(cli.err())
                .startsWith(
                        "sro: " + folder.resolve("old.yaml") + ": there is no special resource of an earlier version")
                .contains("there is nothing to do");
    }
}
