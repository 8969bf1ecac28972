package dev.sro.runtime.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.yaml.Yaml;
import dev.sro.runtime.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands that look ahead, on files with charts. */
class RenderCommandTest {

    @TempDir
    private Path folder;

    private ChartFiles files;

    @BeforeEach
    void chart() {
        files = ChartFiles.in(folder).template("0000-settings.yaml", """
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: settings}
            data: {image: "{{ .Values.image }}"}
            ---
            apiVersion: v1
            kind: Secret
            metadata: {name: login}
            stringData: {password: hidden-word}
            """).template("1000-driver.yaml", """
                apiVersion: apps/v1
                kind: DaemonSet
                metadata:
                  name: driver
                  annotations:
                    specialresource.openshift.io/kernel-affine: "true"
                spec:
                  selector: {matchLabels: {app: driver}}
                  template:
                    metadata: {labels: {app: driver}}
                    spec:
                      containers:
                      - name: driver
                        image: "{{ .Values.image }}-{{ .Values.kernelFullVersion }}"
                """);
    }

    private Cli render(String... args) {
        return files.run("render", args);
    }

    @Test
    void printsAllObjectsInTheOrderInWhichTheyAreMade() {
        Cli cli = render("--kernel", ChartFiles.K1, "--kernel", ChartFiles.K2);

        assertThat(cli.err()).isEmpty();
        assertThat(cli.code()).isZero();
        assertThat(cli.out().lines().filter(line -> line.startsWith("# ")))
                .containsExactly(
                        "# demo",
                        "# demo, state 0000-settings, template demo/templates/0000-settings.yaml",
                        "# demo, state 0000-settings, template demo/templates/0000-settings.yaml",
                        "# demo, state 1000-driver, pool rhel9.4-" + ChartFiles.K1
                                + ", template demo/templates/1000-driver.yaml",
                        "# demo, state 1000-driver, pool rhel9.4-" + ChartFiles.K2
                                + ", template demo/templates/1000-driver.yaml");
        List<Map<String, Object>> objects = Yaml.documents("render", cli.out());
        assertThat(objects)
                .extracting(object -> object.get("kind"))
                .containsExactly("Namespace", "Secret", "ConfigMap", "DaemonSet", "DaemonSet");
        assertThat(ValueTrees.text(objects.get(3), "metadata", "name")).matches("driver-[0-9a-f]+");
        assertThat(cli.out()).contains("image: \"quay.io/example/driver:v1-" + ChartFiles.K2 + "\"");
    }

    @Test
    void choosesAndLeavesAsItIs() throws IOException {
        Cli one = render(
                "--kernel",
                ChartFiles.K1,
                "--kernel",
                ChartFiles.K2,
                "--state",
                "1000-driver",
                "--pool",
                "rhel9.4-" + ChartFiles.K2,
                "-o",
                "json");
        JsonNode list = new ObjectMapper().readTree(one.out());
        assertThat(list.at("/kind").asText()).isEqualTo("List");
        assertThat(list.at("/items")).hasSize(1);
        assertThat(list.at("/items/0/spec/template/spec/containers/0/image").asText())
                .endsWith(ChartFiles.K2);

        Cli raw = render("--kernel", ChartFiles.K1, "--raw", "--state", "1000-driver");
        assertThat(raw.out()).contains("metadata:\n  name: driver\n").doesNotContain("sro.dev/");
    }

    @Test
    void aChartMayBeInAConfigMapOfTheFiles() throws IOException {
        files.write(
                "cr.yaml",
                ChartMap.of(folder.resolve("chart"), "charts", "mine") + "---\n"
                        + Files.readString(folder.resolve("cr.yaml"))
                                .replaceFirst("file:.*chart/", "cm://charts/mine"));

        Cli rendered = render("--kernel", ChartFiles.K1);

        assertThat(rendered.err()).isEmpty();
        assertThat(rendered.out()).contains("kind: DaemonSet");
    }

    @Test
    void aNameThatTheApiServerEndsHasAnEndHereToo() throws IOException {
        files.write(
                "cr.yaml",
                Files.readString(folder.resolve("cr.yaml")).replace("{name: demo}", "{generateName: demo-}"));

        Cli rendered = render("--kernel", ChartFiles.K1);

        assertThat(rendered.err()).isEmpty();
        assertThat(rendered.out()).contains("meta.helm.sh/release-name: demo-00000");
    }

    @Test
    void aChartHereTakesThePlaceOfTheOneThere() throws IOException {
        files.write(
                "cr.yaml",
                Files.readString(folder.resolve("cr.yaml")).replaceFirst("file:.*chart/", "cm://charts/none"));

        Cli there = render("--kernel", ChartFiles.K1);
        assertThat(there.code()).isEqualTo(1);
        assertThat(there.err()).contains("ChartNotReachable", "is in a cluster", "--chart PATH");

        Cli here = render(
                "--kernel", ChartFiles.K1, "--chart", folder.resolve("chart").toString());
        assertThat(here.err()).isEmpty();
        assertThat(here.out()).contains("kind: DaemonSet");
        assertThat(render(
                                "--kernel",
                                ChartFiles.K1,
                                "--chart",
                                folder.resolve("none").toString())
                        .err())
                .contains("--chart", "cannot be read (there is no such file)");
    }

    @Test
    void saysWhichTemplateCannotBeRendered() {
        files.template("0500-bad.yaml", "a: {{ fail \"not like this\" }}\n");

        Cli cli = render("--kernel", ChartFiles.K1);

        assertThat(cli.code()).isEqualTo(1);
        assertThat(cli.err()).contains("sro: demo, state 0500-bad", "not like this");
        assertThat(cli.out()).contains("kind: DaemonSet").doesNotContain("0500-bad");
    }

    @Test
    void asksForTheOperatingSystemThatAKernelDoesNotName() {
        Cli cli = render("--kernel", "5.15.0-91-generic");
        assertThat(cli.code()).isEqualTo(2);
        assertThat(cli.err()).contains("--kernel 5.15.0-91-generic: does not say", "--os-image");

        assertThat(render("--kernel", "5.15.0-91-generic", "--os-image", "Ubuntu 22.04.3 LTS")
                        .out())
                .contains("pool ubuntu22.04-5.15.0-91-generic");
        assertThat(render("demo", "--kernel", ChartFiles.K1).err())
                .contains("demo: names a special resource of a cluster");
    }

    @Test
    void planTakesChartsToo() {
        Cli plan = files.run("plan", "--kernel", ChartFiles.K1);

        assertThat(plan.code()).isZero();
        assertThat(plan.out())
                .contains("SpecialResource demo: chart demo 0.1.0, namespace demo", "serves 1 of 1 node in 1 pool")
                .contains("+ ConfigMap demo/settings", "State 1000-driver, later: when 0000-settings is ready");
    }

    @Test
    void diffComparesWithFiles() throws IOException {
        Path observed = Files.writeString(
                folder.resolve("live.yaml"),
                render("--kernel", ChartFiles.K1, "--kernel", ChartFiles.K2).out());

        Cli same = files.run(
                "diff", "--kernel", ChartFiles.K1, "--kernel", ChartFiles.K2, "--observed", observed.toString());
        assertThat(same.err()).isEmpty();
        assertThat(same.out()).isEmpty();
        assertThat(same.code()).isZero();

        files.write("chart/values.yaml", "image: quay.io/example/driver:v2\n");
        files.template("0000-settings.yaml", """
            apiVersion: v1
            kind: Secret
            metadata: {name: login}
            stringData: {password: other-word}
            """);
        Cli changed = files.run("diff", "--kernel", ChartFiles.K1, "--observed", observed.toString());
        assertThat(changed.code()).isEqualTo(1);
        assertThat(changed.out())
                .contains("-        image: \"quay.io/example/driver:v1-" + ChartFiles.K1)
                .contains("+        image: \"quay.io/example/driver:v2-" + ChartFiles.K1)
                .contains("--- live v1/ConfigMap demo/settings\n+++ /dev/null\n@@ -1,")
                .contains("-  password: \"digest ", "+  password: \"digest ")
                .doesNotContain("aGlkZGVuLXdvcmQ", "hidden-word");
        assertThat(changed.out().lines().filter(line -> line.equals("+++ /dev/null")))
                .as("the ConfigMap and the other kernel's DaemonSet go")
                .hasSize(2);

        files.template("1000-driver.yaml", "{{ fail \"no\" }}");
        Cli failed = files.run("diff", "--kernel", ChartFiles.K1, "--observed", observed.toString());
        assertThat(failed.code()).isEqualTo(2);
        assertThat(failed.out()).as("what cannot be rendered does not go").doesNotContain("DaemonSet");
    }

    /** Its BuildConfig pushes an image with this tag, for each kernel. */
    private void module(String tag) {
        files.write("cr.yaml", """
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResourceModule
            metadata: {name: fleet}
            spec:
              namespace: fleet
              chart: {name: demo, version: 0.1.0, repository: {name: example, url: "%s"}}
              watch: [{apiVersion: cluster.open-cluster-management.io/v1, kind: ManagedCluster, path: "$.metadata.name"}]
            """.formatted(folder.resolve("chart").toUri()));
        files.template("1000-driver.yaml", """
            apiVersion: build.openshift.io/v1
            kind: BuildConfig
            metadata: {name: "build-{{ .Values.kernelFullVersion | lower | replace "_" "-" }}"}
            spec: {output: {to: {kind: DockerImage, name: "r/a:%s"}}}
            """.formatted(tag));
    }

    @Test
    void modulesAreLookedAtForEachKernel() {
        module("{{ .Values.kernelFullVersion }}");
        String[] kernels = {"--kernel", ChartFiles.K1, "--kernel", ChartFiles.K2, "--platform", "openshift"};

        Cli render = files.run("render", kernels);
        assertThat(render.err()).isEmpty();
        assertThat(render.code()).isZero();
        assertThat(render.out()).contains("r/a:" + ChartFiles.K1, "r/a:" + ChartFiles.K2, "# fleet, state 1000-driver");
        assertThat(files.run("plan", kernels).out())
                .contains(
                        "SpecialResourceModule fleet: chart demo 0.1.0, namespace fleet", "+ BuildConfig fleet/build-");
        assertThat(files.run("lint", kernels).out()).contains("0 errors");
        assertThat(files.run("diff", kernels).code()).isOne();
    }

    @Test
    void modulesAreLookedAtForTheKernelsOfNodes() throws IOException {
        module("{{ .Values.kernelFullVersion }}-{{ .Values.operatingSystem }}");
        StringBuilder nodes = new StringBuilder("apiVersion: v1\nkind: List\nitems:\n");
        for (String kernel : List.of(ChartFiles.K1, ChartFiles.K1, "5.15.0-91-generic")) {
            nodes.append("- {apiVersion: v1, kind: Node, metadata: {name: n")
                    .append(nodes.length())
                    .append("}, status: {nodeInfo: {")
                    .append("kernelVersion: ")
                    .append(kernel)
                    .append(", osImage: \"")
                    .append(kernel.endsWith("generic") ? "Ubuntu 22.04.3 LTS" : "Red Hat Enterprise Linux 9.4 (Plow)")
                    .append("\", architecture: amd64}}}\n");
        }
        files.write("nodes.yaml", nodes.toString());
        String[] options = {"--nodes", folder.resolve("nodes.yaml").toString(), "--platform", "openshift"};

        Cli render = files.run("render", options);
        assertThat(render.err()).isEmpty();
        assertThat(render.code()).isZero();
        assertThat(render.out()).contains("r/a:" + ChartFiles.K1 + "-rhel9.4", "r/a:5.15.0-91-generic-rhel");
        assertThat(files.run("plan", options).out())
                .contains("SpecialResourceModule fleet", "+ BuildConfig fleet/build-");
        assertThat(files.run("lint", options).out()).contains("0 errors");
        assertThat(files.run("diff", options).code()).isOne();
    }

    @Test
    void aModuleNeedsKernels() throws IOException {
        files.write(
                "cr.yaml", "apiVersion: sro.openshift.io/v1beta1\nkind: SpecialResourceModule\nmetadata: {name: a}\n");
        files.write("nodes.yaml", "apiVersion: v1\nkind: Node\nmetadata: {name: a}\n");

        Cli cli = files.run("render", "--nodes", folder.resolve("nodes.yaml").toString());

        assertThat(cli.code()).isEqualTo(2);
        assertThat(cli.err()).contains("no node says which kernel it runs", "--kernel RELEASE");
        assertThat(files.run("render", "--kernel", ChartFiles.K1).err()).contains("spec");
    }
}
