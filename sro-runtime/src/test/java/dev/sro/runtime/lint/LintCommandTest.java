package dev.sro.runtime.lint;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sro.runtime.Cli;
import dev.sro.runtime.plan.ChartFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LintCommandTest {

    private static final String PREFIX = "specialresource.openshift.io/";

    @TempDir
    private Path folder;

    private ChartFiles files;

    @BeforeEach
    void chart() {
        files = ChartFiles.in(folder);
    }

    private static String workload(String kind, String annotations, String image) {
        return """
            apiVersion: apps/v1
            kind: %s
            metadata:
              name: driver
              labels: {app: driver}
              annotations:
                specialresource.openshift.io/state: driver
            %sspec:
              selector: {matchLabels: {app: driver}}
              template:
                metadata: {labels: {app: driver}}
                spec: {containers: [{name: driver, image: "%s"}]}
            """.formatted(kind, annotations.indent(4), image);
    }

    @Test
    void isSatisfiedWithWhatWorks() {
        files.template(
                "1000-driver.yaml",
                workload(
                        "DaemonSet",
                        PREFIX + "kernel-affine: \"true\"",
                        "quay.io/example/driver:{{ .Values.kernelFullVersion }}"));

        Cli cli = files.lint();

        assertThat(cli.err()).isEmpty();
        assertThat(cli.out()).isEqualTo("0 errors, 0 warnings, 0 notes\n");
        assertThat(cli.code()).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "UnknownAnnotation   | kernel-afine: \"true\"              | a:1 | did you mean"
                        + " specialresource.openshift.io/kernel-affine?",
                "KernelAffineNotTrue | kernel-affine: \"false\"            | a:1 | of this object the one of the first"
                        + " pool",
                "MovingImage         |                                     | registry:5000/a | has no tag, which means"
                        + " latest",
                "MovingImage         |                                     | a:latest | names no version",
                "KernelInSharedDaemonSet |                                 | a:{{ .Values.kernelFullVersion }} | add"
                        + " the annotation specialresource.openshift.io/kernel-affine",
                "VendorWithoutPartner| driver-container-vendor: a          | a:1 | no build has the same",
                "InvalidPattern      | wait-for-logs: \"ready (\"          | a:1 | is no regular expression of Go",
                "UndefinedValue      |                                     | a:1{{ .Values.nothing }} |"
                        + " .Values.nothing is not defined",
            })
    void findsWhatHasNoEffectInWorkloads(String code, String annotation, String image, String message) {
        files.template("1000-driver.yaml", workload("DaemonSet", annotation == null ? "" : PREFIX + annotation, image));

        Cli cli = files.lint();

        assertThat(cli.out().lines().filter(line -> line.contains(" " + code + ", demo, ")))
                .hasSize(1);
        assertThat(cli.out()).contains(message, "demo/templates/1000-driver.yaml");
        assertThat(cli.code()).isEqualTo(code.equals("InvalidPattern") ? 1 : 0);
    }

    @Test
    void anAnnotationWithAMisspeltPrefixIsNamed() {
        files.template(
                "1000-driver.yaml", workload("Deployment", "specialresource.openshit.io/wait-for-logs: x", "a:1"));

        assertThat(files.lint().out()).contains("did you mean specialresource.openshift.io/wait-for-logs?");
    }

    @Test
    void namesValuesThatTheClusterOverwritesAndNoOthers() {
        files.write("chart/values.yaml", "platform: mine\narchitecture: replication\nproxy: {}\nimage: a:1\n");
        files.template("0000-a.yaml", """
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: a}
            data: {a: "{{ .Values.architecture }}", p: "{{ .Values.platform }}"}
            """);

        assertThat(files.lint().out().lines().filter(line -> line.contains("ValueOverwritten")))
                .containsExactly("note ValueOverwritten, demo, .Values.platform");
        assertThat(files.run("render", "--kernel", ChartFiles.K1).out()).contains("a: replication", "p: K8S");
    }

    @Test
    void findsWorkThatIsDoneOnceForOneKernel() {
        files.template("0000-build.yaml", """
            apiVersion: batch/v1
            kind: Job
            metadata: {name: build}
            spec: {template: {spec: {restartPolicy: Never, containers: [{name: b, image: "b:1", args: ["{{ .Values.kernelFullVersion }}"]}]}}}
            """);

        assertThat(files.lint().out()).contains("KernelInSharedWork", "after the next upgrade", "0000-build.yaml");
    }

    @Test
    void findsExpressionsThatAreNoneAndPlacesThatAreNotTheRecipes() {
        files.template("0000-a.yaml", """
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: a, namespace: kube-system, annotations: {sro.dev/ready-when: "object.status.("}}
            """);

        Cli cli = files.lint();

        assertThat(cli.out()).contains("InvalidReadyWhen", "ObjectInKubeSystem");
        assertThat(cli.code()).isOne();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ClusterAdmin | rbac.authorization.k8s.io/v1 | ClusterRoleBinding | roleRef: {apiGroup:"
                        + " rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin} | roleRef.name",
                "WildcardRights | rbac.authorization.k8s.io/v1 | ClusterRole | rules: [{apiGroups: [''], resources:"
                        + " [pods], verbs: [get]}, {apiGroups: [''], resources: ['*'], verbs: [get]}] |"
                        + " rules[1].resources",
                "WildcardRights | rbac.authorization.k8s.io/v1 | Role | rules: [{apiGroups: [apps], resources:"
                        + " [deployments], verbs: ['*']}] | rules[0].verbs",
                "EscalatingRights | rbac.authorization.k8s.io/v1 | ClusterRole | rules: [{apiGroups:"
                        + " [rbac.authorization.k8s.io], resources: [clusterroles], verbs: [bind, get]}] | rules[0].verbs"
                        + " has bind",
                "RightsForEverybody | rbac.authorization.k8s.io/v1 | RoleBinding | {roleRef: {apiGroup:"
                        + " rbac.authorization.k8s.io, kind: Role, name: a}, subjects: [{kind: Group, apiGroup:"
                        + " rbac.authorization.k8s.io, name: 'system:authenticated'}]} | subjects[0].name",
                "CatchAllWebhook | admissionregistration.k8s.io/v1 | ValidatingWebhookConfiguration | webhooks: [{name:"
                        + " a.example.com, sideEffects: None, admissionReviewVersions: [v1], clientConfig: {url:"
                        + " 'https://a.example.com'}, rules: [{apiGroups: ['*'], apiVersions: ['*'], operations: ['*'],"
                        + " resources: ['*/*']}]}] | webhooks[0].rules",
                "CatchAllWebhook | admissionregistration.k8s.io/v1 | MutatingWebhookConfiguration | webhooks: [{name:"
                        + " a.example.com, sideEffects: None, admissionReviewVersions: [v1], clientConfig: {url:"
                        + " 'https://a.example.com'}, rules: [{apiGroups: [''], apiVersions: [v1], operations: [CREATE],"
                        + " resources: [pods]}]}] | its own pod included",
                "NamespaceOfTheCluster | v1 | Namespace | metadata: {name: openshift-nfd} | metadata.name",
                "PrivilegedNamespace | v1 | Namespace | metadata: {name: gpu, labels:"
                        + " {pod-security.kubernetes.io/enforce: privileged}} | metadata.labels",
                "DefaultOfTheCluster | scheduling.k8s.io/v1 | PriorityClass | {value: 5, globalDefault: true} |"
                        + " globalDefault",
            })
    void findsWhatDoesTooMuchToTheCluster(String code, String version, String kind, String rest, String message) {
        String fields = rest.startsWith("{") ? rest.substring(1, rest.length() - 1) : rest;
        String name = fields.startsWith("metadata:") ? "" : "metadata: {name: a}, ";
        files.template("0000-a.yaml", "{apiVersion: " + version + ", kind: " + kind + ", " + name + fields + "}\n");

        assertThat(files.lint().out())
                .containsPattern("(warning|note) " + code + ", demo, " + kind + " .*0000-a.yaml\\)\n.*"
                        + Pattern.quote(message) + ".*\n  fix: ");
    }

    @Test
    void smallRightsAndWebhooksForFewAreFine() {
        files.template("0000-a.yaml", """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRole
            metadata: {name: a}
            rules: [{apiGroups: [""], resources: [nodes], verbs: [get, list]}]
            ---
            apiVersion: admissionregistration.k8s.io/v1
            kind: ValidatingWebhookConfiguration
            metadata: {name: a}
            webhooks:
            - name: a.example.com
              sideEffects: None
              admissionReviewVersions: [v1]
              clientConfig: {url: "https://a.example.com"}
              objectSelector: {matchLabels: {a: b}}
              rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
            """);

        assertThat(files.lint().out()).isEqualTo("0 errors, 0 warnings, 0 notes\n");
    }

    @Test
    void looksAtObjectsAsAnApiServerDoes() {
        files.template("0000-settings.yaml", """
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: Settings_1}
            ---
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: typo}
            dada: {a: b}
            ---
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: indent}
            annotations: {specialresource.openshift.io/wait-for-logs: x}
            ---
            apiVersion: example.com/v1
            kind: Widget
            metadata: {name: a}
            """);

        Cli cli = files.lint();

        assertThat(cli.code()).isEqualTo(1);
        assertThat(cli.out())
                .containsPattern("error Refused, demo, ConfigMap demo/Settings_1 .*\n.*metadata.name: Invalid value")
                .containsPattern("warning UnknownField, demo, ConfigMap demo/typo .*\n.*unknown field \"dada\"")
                .contains("warning MisplacedField, demo, ConfigMap demo/indent")
                .contains("warning KindNotServed, demo, Widget demo/a")
                .containsPattern("(?s)error .*warning ");
    }

    @Test
    void knowsTheKindsThatTheRecipeBrings() {
        files.write("chart/crds/widgets.yaml", """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: widgets.example.com}
            spec:
              group: example.com
              scope: Namespaced
              names: {kind: Widget, plural: widgets, singular: widget, listKind: WidgetList}
              versions:
              - name: v1
                served: true
                storage: true
                schema:
                  openAPIV3Schema:
                    type: object
                    properties:
                      spec: {type: object, properties: {size: {type: integer}}}
            """);
        files.template("0000-widget.yaml", """
            apiVersion: example.com/v1
            kind: Widget
            metadata: {name: a}
            spec: {size: large}
            """);

        assertThat(files.lint().out()).containsPattern("error Refused, demo, Widget demo/a .*\n.*spec.size");
    }

    @Test
    void looksAtNamesOfTemplates() {
        files.template("1000-a.yaml", workload("DaemonSet", "", "a:1"));
        files.template("1000-b.yaml", workload("Deployment", "", "a:1"));
        files.template("2000-c.yml", workload("StatefulSet", "", "a:1"));

        assertThat(files.lint().out())
                .contains("warning SameStateNumber, demo, demo/templates/1000-a.yaml, demo/templates/1000-b.yaml")
                .contains("warning TemplateIsNoState, demo, demo/templates/2000-c.yml");
    }

    @Test
    void saysWhatTheEngineSays() throws IOException {
        files.template("1000-bad.yaml", "{{ fail \"not like this\" }}");
        files.template("1001-hook.yaml", workload("Deployment", "helm.sh/hook: no-such-hook", "a:1"));

        Cli cli = files.lint("-o", "json");

        assertThat(cli.code()).isEqualTo(1);
        JsonNode first = new ObjectMapper().readTree(cli.out()).get(0);
        assertThat(first.get("severity").asText()).isEqualTo("error");
        assertThat(first.get("where").asText()).isEqualTo("state 1000-bad");
        assertThat(first.get("message").asText()).contains("not like this");

        assertThat(files.run("lint", "--nodes", nodes()).out())
                .contains("note NothingRendered, demo, spec.nodeSelector");
    }

    private String nodes() throws IOException {
        return Files.writeString(
                        folder.resolve("nodes.yaml"),
                        "apiVersion: v1\nkind: Node\nmetadata: {name: a}\n" + "status: {nodeInfo: {kernelVersion: \""
                                + ChartFiles.K1 + "\"}}\n")
                .toString();
    }

    @Test
    void namesWhatIsWrongInChartsThatAreKnownToBeWrong() {
        Path chart = Path.of(String.valueOf(System.getenv("SRO_CORPUS")), "charts", "invalid-simple-kmod-build-v2");
        Assumptions.assumeTrue(
                Files.isDirectory(chart), "no corpus here: set SRO_CORPUS to the folder that has charts/");

        Cli cli = Cli.run(
                "lint",
                "-f",
                chart.resolve("simple-kmod.yaml").toString(),
                "--chart",
                chart.toString(),
                "--kernel",
                "4.18.0-305.19.1.el8_4.x86_64",
                "--platform",
                "openshift");

        assertThat(cli.code()).isEqualTo(1);
        assertThat(cli.out())
                .contains("error InvalidDependency", "spec.dependencies[0].chart.name: missing")
                .contains("field spec.dependencies[0].name is not known and is ignored");
    }

    @Test
    void everyCodeHasItsRowAndEveryRowItsCode() throws IOException {
        Set<String> codes = new TreeSet<>();
        Pattern made = Pattern.compile("Finding\\.(?:error|warning|note)\\(\\s*\"(\\w+)\"");
        try (Stream<Path> sources = Files.list(Path.of("src/main/java/dev/sro/runtime/lint"))) {
            for (Path source : sources.toList()) {
                made.matcher(Files.readString(source))
                        .results()
                        .map(found -> found.group(1))
                        .forEach(codes::add);
            }
        }
        String page = Files.readString(Path.of("../docs/admins/recipes.md"));
        List<String> rows = Pattern.compile("(?m)^\\| `(\\w+)` \\| (?:error|warning|note) \\|")
                .matcher(page)
                .results()
                .map((MatchResult found) -> found.group(1))
                .collect(Collectors.toList());

        assertThat(codes).hasSizeGreaterThan(10);
        assertThat(rows).containsExactlyInAnyOrderElementsOf(codes);
    }
}
