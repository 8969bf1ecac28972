package dev.sro.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.runtime.plan.ChartFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever is wrong in files: who wrote them is told in words of files, and not in those of the language that SRO is written in. */
class BadInputsTest {

    /** Packages and classes of Java, and traces. */
    private static final Pattern JAVA = Pattern.compile(
            "\\b(?:dev\\.sro|com\\.fasterxml|com\\.marcnuri|io\\.fabric8|org\\.[a-z]+|java|javax|jdk|sun)\\.[a-z][\\w.]*\\.?[A-Z]\\w+"
                    + "|\\w+Exception\\b|StackOverflow|OutOfMemory|NullPointer|\\bat [a-z]+\\.[\\w.]+\\(|\\$\\$Lambda|defect of sro");

    private static final String HEAD = "apiVersion: sro.openshift.io/v1beta1\nkind: SpecialResource\n";

    private static final String NAMED = HEAD + "metadata: {name: demo}\n";

    @TempDir
    private Path folder;

    private ChartFiles files;

    @BeforeEach
    void chart() {
        files = ChartFiles.in(folder);
        files.template("1000-a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n");
    }

    private String path(String name) {
        return folder.resolve(name).toString();
    }

    private static void isPlain(Cli cli) {
        String all = cli.out() + cli.err();
        assertThat(all).isNotBlank().doesNotContainPattern(JAVA);
    }

    private void isRefused(String command, String... more) {
        List<String> args = new ArrayList<>(List.of("--kernel", ChartFiles.K1));
        args.addAll(List.of(more));
        Cli cli = files.run(command, args.toArray(String[]::new));
        isPlain(cli);
        assertThat(cli.code()).as(cli.out() + cli.err()).isNotZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "text",
                "- a\n- b",
                "{",
                "a: [",
                "a: b: c",
                "\tkind: x",
                "a: *b",
                "a: &a [*a]",
                "kind: SpecialResource",
                "apiVersion: v1\nkind: Pod\nmetadata: {name: a}",
                HEAD + "metadata: []",
                HEAD + "metadata: {name: {}}",
                HEAD + "metadata: {name: [a]}",
                HEAD + "metadata: {name: demo, labels: 5}",
                HEAD + "metadata: {name: demo, labels: {a: {b: c}}}",
                HEAD + "metadata: {name: demo, annotations: [a]}",
                HEAD + "metadata: {name: demo, ownerReferences: 5}",
                HEAD + "metadata: {name: demo, ownerReferences: [{controller: perhaps}]}",
                HEAD + "metadata: {name: demo, generation: many}",
                HEAD + "metadata: {name: demo, finalizers: {a: b}}",
                NAMED + "spec: []",
                NAMED + "spec: 5",
                NAMED + "spec: {namespace: [a]}",
                NAMED + "spec: {namespace: 'Not A Name'}",
                NAMED + "spec: {chart: 5}",
                NAMED + "spec: {chart: {name: a}}",
                NAMED + "spec: {chart: {name: a, version: 1, repository: {name: a, url: [b]}}}",
                NAMED + "spec: {chart: {name: a, version: '1', repository: {name: a, url: '::'}}}",
                NAMED + "spec: {chart: {name: a, version: '1', repository: {name: a, url: 'file:///none'}}}",
                NAMED + "spec: {chart: {name: a, version: '1', repository: {name: a, url: 'nobody://x'}}}",
                NAMED + "spec: {chart: {name: a, version: 'x.y', repository: {name: a, url: 'file:///tmp'}}}",
                NAMED + "spec: {set: [a]}",
                NAMED + "spec: {nodeSelector: [a]}",
                NAMED + "spec: {nodeSelector: {a: [b]}}",
                NAMED + "spec: {managementState: Perhaps}",
                NAMED + "spec: {forceUpgrade: perhaps}",
                NAMED + "spec: {dependsOn: [a]}",
                NAMED + "spec: {dependencies: [{name: a}]}",
                NAMED + "spec: {recipe: {directory: '::'}}",
                NAMED + "spec: {recipe: {directory: 'file:///none'}}",
                NAMED + "spec: {recipe: {directory: 'http://a/b'}}",
                NAMED + "spec: {recipe: {directory: 'not an address at all'}}",
                NAMED + "spec: {recipe: {directory: 5}}",
                NAMED + "spec: {plugin: {}}",
                NAMED + "spec: {plugin: {name: none}}",
                NAMED + "spec: {driver: {kernelMappings: 5}}",
            })
    void specialResources(String text) throws IOException {
        Files.writeString(folder.resolve("cr.yaml"), text);

        isRefused(
                "plan",
                "--plugins",
                Files.createDirectories(folder.resolve("none")).toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"lint", "plan", "render", "diff"})
    void allCommandsSayItAlike(String command) {
        files.template("1000-a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, labels: 5}\n");
        isRefused(command);
        files.write("cr.yaml", HEAD + "metadata: {name: demo, labels: 5}");
        isRefused(command);
        files.write("cr.yaml", NAMED + "spec: {recipe: {directory: '::'}}");
        isRefused(command);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "spec: 5",
                "spec: {taints: 1}",
                "spec: {taints: [{key: [a]}]}",
                "spec: {unschedulable: perhaps}",
                "status: text",
                "status: {nodeInfo: []}",
                "status: {nodeInfo: {kernelVersion: {}}}",
                "status: {conditions: {a: b}}",
                "status: {conditions: [a]}",
                "status: {capacity: [a]}",
                "status: {allocatable: {cpu: much}}",
            })
    void nodesAndPods(String rest) throws IOException {
        String node = Files.writeString(
                        folder.resolve("nodes.yaml"), "apiVersion: v1\nkind: Node\nmetadata: {name: a}\n" + rest)
                .toString();
        String pod = Files.writeString(
                        folder.resolve("pods.yaml"), "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n" + rest)
                .toString();

        isPlain(files.run("plan", "--nodes", node));
        isPlain(files.run("plan", "--kernel", ChartFiles.K1, "--observed", pod));
        isPlain(files.run("plan", "--kernel", ChartFiles.K1, "--nodes", node));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{{",
                "{{ if }}",
                "{{ end }}",
                "{{ nothing }}",
                "{{ fail \"no\" }}",
                "{{ include \"none\" . }}",
                "{{ .Values.a.b.c }}",
                "{{ index .Values 5 }}",
                "{{ required \"a is needed\" .Values.a }}",
                "{{ tpl \"{{\" . }}",
                "{{ toYaml }}",
                "{{ regexMatch \"(\" \"a\" }}{{ mustRegexMatch \"(\" \"a\" }}",
                "a: b: c",
                "text",
                "- a",
                "a: [",
                "a: *none",
                "a: &a [*a]",
                "a: !!binary '%'",
                "kind: ConfigMap",
                "apiVersion: v1\nkind: ConfigMap",
                "apiVersion: v1\nkind: ConfigMap\nmetadata: text",
                "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, labels: 5}",
                "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, labels: {a: {b: c}}}",
                "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, annotations: [a]}",
                "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, ownerReferences: 5}",
                "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, generation: many}",
                "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: 'Not A Name'}",
                "apiVersion: [v1]\nkind: ConfigMap\nmetadata: {name: a}",
                "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: text",
                "apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: a}\nspec: text",
                "apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: a}\nspec: {template: {spec: {containers: 5}}}",
                "apiVersion: v1\nkind: List\nitems: text",
                "apiVersion: v1\nkind: List\nitems: [text]",
            })
    void templates(String text) {
        files.template("1000-a.yaml", text);

        Cli cli = files.run("lint", "--kernel", ChartFiles.K1);

        isPlain(cli);
        assertThat(cli.code()).as(cli.out()).isOne();
    }

    @Test
    void whatIsNestedTooDeeply() {
        files.template(
                "1000-a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: " + "[".repeat(50_000));

        isRefused("lint");
        files.write("cr.yaml", NAMED + "spec: {set: " + "[".repeat(50_000));
        isRefused("lint");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Chart.yaml:",
                "Chart.yaml:text",
                "Chart.yaml:- a",
                "Chart.yaml:a: b: c",
                "Chart.yaml:apiVersion: v2",
                "Chart.yaml:apiVersion: v2\nname: {a: b}\nversion: 1.0.0",
                "Chart.yaml:apiVersion: v2\nname: demo\nversion: one",
                "Chart.yaml:apiVersion: v2\nname: demo\nversion: 0.1.0\ndependencies: 5",
                "Chart.yaml:apiVersion: v2\nname: demo\nversion: 0.1.0\nkubeVersion: perhaps",
                "values.yaml:- a",
                "values.yaml:a: b: c",
                "values.yaml:a: *b",
                "values.schema.json:{",
                "values.schema.json:{\"type\": \"array\"}",
                "templates/_helpers.tpl:{{ define }}",
                "crds/a.yaml:a: b: c",
                ".helmignore:[",
            })
    void charts(String file) {
        int colon = file.indexOf(':');
        files.write("chart/" + file.substring(0, colon), file.substring(colon + 1));

        isPlain(files.run("lint", "--kernel", ChartFiles.K1));
        isPlain(files.run("plan", "--kernel", ChartFiles.K1, "--chart", path("chart")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"not-an-archive.tgz", "none", "empty", "cr.yaml"})
    void archivesAndFolders(String name) throws IOException {
        Files.writeString(folder.resolve("not-an-archive.tgz"), "text");
        Files.createDirectory(folder.resolve("empty"));

        isRefused("lint", "--chart", path(name));
        isPlain(files.run("render", "--nodes", path(name)));
        isPlain(files.run("render", "--kernel", ChartFiles.K1, "--observed", path(name)));
        for (String command : List.of("render", "plan", "lint", "diff", "features")) {
            isPlain(Cli.run(command, "-f", path(name), "--kernel", ChartFiles.K1));
        }
        isPlain(Cli.run("cdi", "convert", path(name)));
        isPlain(Cli.run("slices", "show", path(name)));
        isPlain(Cli.run("plan", "--kubeconfig", path(name)));
        isPlain(Cli.run("status", "--kubeconfig", path(name)));
    }

    @Test
    void recipesOfNumberedManifests() throws IOException {
        files.write("recipe/0000-a.yaml", "a: {{ .Nothing.At.All }}");
        files.write("recipe/0001-b.yaml", "{{");
        Files.write(folder.resolve("recipe/0002-c.yaml"), new byte[] {(byte) 0xff, (byte) 0xfe, 0, 1});
        files.write(
                "cr.yaml",
                NAMED + "spec: {recipe: {directory: '"
                        + folder.resolve("recipe").toUri() + "'}}");

        isRefused("lint");
        files.write(
                "cr.yaml",
                NAMED
                        + "spec: {namespace: demo}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: demo}\ndata: [a]");
        isRefused("lint");
        files.write(
                "cr.yaml",
                NAMED + "spec: {namespace: demo}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: demo}\ndata:"
                        + " {0000-a.yaml: [a]}");
        isRefused("lint");
    }

    @Test
    void pluginsThatAreNone() throws IOException {
        Path plugins = Files.createDirectory(folder.resolve("plugins"));
        Files.writeString(plugins.resolve("a.jar"), "text");
        files.write("cr.yaml", NAMED + "spec: {plugin: {name: a}}");

        isRefused("lint", "--plugins", plugins.toString());
        isPlain(Cli.run("plugins", "--plugins", plugins.toString()));
        isPlain(Cli.run("plugins", "--plugins", path("cr.yaml")));
    }
}
