package dev.sro.runtime.install.oracle;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import com.marcnuri.helm.TemplateCommand;
import dev.sro.runtime.Cli;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The chart, as Helm renders it. */
@Tag("slow")
class HelmChartTest {
    private static final String NAMESPACE = "special-resource-operator";

    @TempDir
    private Path folder;

    @BeforeEach
    void write() throws IOException {
        Path plugins = Cli.plugins(Files.createDirectories(folder.resolve("plugins")));
        Cli.plugin(plugins, "sro-plugins-nvidia", "nvidia-gpu");
        assertThat(Cli.run("manifests", folder.toString(), "--plugins", plugins.toString(), "--plugin", "simple-kmod")
                        .code())
                .isZero();
    }

    private Path chart() {
        return folder.resolve("helm").resolve("special-resource-operator");
    }

    private TemplateCommand template() {
        return new Helm(chart()).template().withName("sro").withNamespace(NAMESPACE);
    }

    /** By kind and name. */
    private static Map<String, HasMetadata> objects(Stream<String> files) {
        KubernetesSerialization serialization = new KubernetesSerialization();
        Map<String, HasMetadata> objects = new TreeMap<>();
        files.flatMap(text -> Stream.of(text.split("(?m)^---\n")))
                .filter(text -> text.lines().anyMatch(line -> line.startsWith("kind:")))
                .map(text -> (HasMetadata) serialization.unmarshal(text))
                .forEach(object -> objects.put(
                        object.getKind() + " " + object.getMetadata().getName(), object));
        return objects;
    }

    @Test
    void givesWhatTheBaseGives() throws IOException {
        Map<String, HasMetadata> expected = base("kustomize");
        // A chart is installed into a namespace that is there, and the definitions are in its folder crds.
        assertThat(expected.remove("Namespace " + NAMESPACE)).isNotNull();
        Map<String, String> definitions = Map.of(
                "specialresources", "crd.yaml",
                "preflightvalidations", "crd-preflightvalidations.yaml",
                "specialresourcemodules", "crd-specialresourcemodules.yaml");
        for (Map.Entry<String, String> definition : definitions.entrySet()) {
            assertThat(expected.remove("CustomResourceDefinition " + definition.getKey() + ".sro.openshift.io"))
                    .isNotNull();
            assertThat(Files.readString(chart().resolve("crds/" + definition.getKey() + ".yaml")))
                    .isEqualTo(Files.readString(folder.resolve("kustomize").resolve(definition.getValue())));
        }

        // The base has the Service of the webhook, which waits for who sets an address; the chart has it with that.
        HasMetadata webhook = expected.remove("Service " + NAMESPACE + "-webhook");

        assertThat(objects(Stream.of(template().call()))).isEqualTo(expected);
        assertThat(objects(Stream.of(template().set("webhook.enabled", true).call())))
                .containsEntry("Service " + NAMESPACE + "-webhook", requireNonNull(webhook));
    }

    /** Alerts and dashboards come through with templates that are not Helm's. */
    @Test
    void givesWhatWatchesTheOperatorToThoseWhoAskForIt() throws IOException {
        Map<String, HasMetadata> without = objects(Stream.of(template().call()));
        Map<String, HasMetadata> with =
                objects(Stream.of(template().set("monitoring.enabled", true).call()));

        with.keySet().removeAll(without.keySet());
        assertThat(with).isEqualTo(base("kustomize/monitoring")).hasSize(3);

        with = objects(Stream.of(template()
                .set("monitoring.enabled", true)
                .set("monitoring.grafanaOperator", true)
                .call()));
        with.keySet().removeAll(without.keySet());
        Map<String, HasMetadata> expected = base("kustomize/monitoring");
        expected.putAll(base("kustomize/grafana"));
        assertThat(with).isEqualTo(expected).hasSize(4);
    }

    /** A plugin brings the rights to build its images where it says how they are built. */
    @Test
    void grantsTheRightsOfThePluginsThatAreNamed() throws IOException {
        Map<String, HasMetadata> without = objects(Stream.of(template().call()));
        Path values = Files.writeString(folder.resolve("values.yaml"), "plugins: [nvidia-gpu]\n");
        Map<String, HasMetadata> with =
                objects(Stream.of(template().withValuesFile(values).call()));

        assertThat(without.keySet()).noneMatch(name -> name.contains("nvidia") || name.contains("builds"));
        assertThat(with.keySet()).noneMatch(name -> name.contains("simple-kmod"));
        with.keySet().removeAll(without.keySet());
        Map<String, HasMetadata> expected = base("kustomize/plugins/nvidia-gpu");
        expected.putAll(base("kustomize/builds"));
        assertThat(with).isEqualTo(expected).hasSize(4);
    }

    /** As kustomize has it: rights, Service, budget, what the API server asks by, and an argument. */
    @Test
    void servesPodsByLimitsWhereThatIsAskedFor() throws IOException {
        String allocator = "Deployment sro-slices-allocator";
        Map<String, HasMetadata> without = objects(
                Stream.of(template().set("slices.allocator.enabled", true).call()));
        Path values = Files.writeString(
                folder.resolve("values.yaml"),
                "slices: {allocator: {enabled: true, webhook: {enabled: true, annotations:"
                        + " {cert-manager.io/inject-ca-from: special-resource-operator/sro-slices-allocator}}}}\n");
        Map<String, HasMetadata> with =
                objects(Stream.of(template().withValuesFile(values).call()));

        assertThat(arguments(without.get(allocator))).contains("--webhook=").doesNotContain("--webhook=0.0.0.0:9443");
        assertThat(arguments(with.get(allocator))).contains("--webhook=0.0.0.0:9443");
        // The command line takes both.
        Cli.parse(arguments(without.get(allocator)).toArray(String[]::new));
        Cli.parse(arguments(with.get(allocator)).toArray(String[]::new));
        with.keySet().removeAll(without.keySet());
        // Certificates are cert-manager's with kustomize alone.
        Map<String, HasMetadata> expected = base("kustomize/slices-limits");
        expected.keySet().removeIf(name -> name.startsWith("Certificate ") || name.startsWith("Issuer "));
        assertThat(with).isEqualTo(expected).hasSize(5);
    }

    private static List<String> arguments(@Nullable HasMetadata deployment) {
        return ((Deployment) requireNonNull(deployment))
                .getSpec()
                .getTemplate()
                .getSpec()
                .getContainers()
                .get(0)
                .getArgs();
    }

    private Map<String, HasMetadata> base(String name) throws IOException {
        List<String> base = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder.resolve(name))) {
            for (Path file : files.filter(path -> Files.isRegularFile(path) && !path.endsWith("kustomization.yaml"))
                    .toList()) {
                base.add(Files.readString(file));
            }
        }
        return objects(base.stream());
    }

    @Test
    void passesHelmsOwnCheck() {
        LintResult lint = new Helm(chart()).lint().call();

        assertThat(lint.isFailed()).as("%s", lint.getMessages()).isFalse();
    }

    @Test
    void takesEveryValue() throws IOException {
        Path values = Files.writeString(folder.resolve("values.yaml"), """
            replicas: 3
            image: {repository: registry.example/sro, tag: "1", pullPolicy: Always, pullSecrets: [{name: pull}]}
            log: {format: text, level: "dev.sro = debug"}
            runtimeImage: registry.example/shell:1
            extraArgs: ["--workers=8", "--requests-per-second=10"]
            resources: {limits: {memory: 1Gi}}
            nodeSelector: {a: b}
            tolerations: [{key: t, operator: Exists}]
            affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: Exists}]}]}}}
            podDisruptionBudget: {enabled: false}
            networkPolicy: {enabled: false}
            builds: {enabled: true}
            monitoring: {enabled: true, labels: {release: prometheus}}
            """);
        Map<String, HasMetadata> objects =
                objects(Stream.of(template().withValuesFile(values).call()));

        assertThat(objects.keySet())
                .contains(
                        "ClusterRole special-resource-operator-builds",
                        "ClusterRoleBinding special-resource-operator-builds");
        assertThat(objects.keySet()).noneMatch(name -> name.startsWith("Pod") || name.startsWith("Network"));
        assertThat(Objects.requireNonNull(objects.get("PrometheusRule special-resource-operator"))
                        .getMetadata()
                        .getLabels())
                .containsKeys("release", "app.kubernetes.io/name");
        Deployment deployment =
                (Deployment) Objects.requireNonNull(objects.get("Deployment special-resource-operator"));
        assertThat(deployment.getSpec().getReplicas()).isEqualTo(3);
        PodSpec pod = deployment.getSpec().getTemplate().getSpec();
        assertThat(pod.getContainers()).singleElement().satisfies(container -> {
            assertThat(container.getImage()).isEqualTo("registry.example/sro:1");
            assertThat(container.getImagePullPolicy()).isEqualTo("Always");
            assertThat(container.getArgs()).containsExactly("operator", "--workers=8", "--requests-per-second=10");
            assertThat(container.getEnv()).anyMatch(env -> "text".equals(env.getValue()));
            assertThat(container.getEnv())
                    .anyMatch(env -> env.getName().equals("SRO_RUNTIME_IMAGE")
                            && "registry.example/shell:1".equals(env.getValue()));
            assertThat(container.getResources().getLimits()).containsKey("memory");
        });
        assertThat(pod.getImagePullSecrets()).singleElement().matches(secret -> "pull".equals(secret.getName()));
        assertThat(pod.getNodeSelector()).containsEntry("a", "b");
        assertThat(pod.getTolerations()).singleElement().matches(toleration -> "t".equals(toleration.getKey()));
        assertThat(pod.getAffinity().getNodeAffinity()).isNotNull();
    }

    @Test
    void refusesAValueThatItDoesNotKnow() {
        assertThatThrownBy(() -> template().set("replica", 3).call()).hasMessageContaining("replica");
        assertThatThrownBy(() -> template().set("plugins[0]", "nvidia").call()).hasMessageContaining("plugins");
        assertThatThrownBy(() -> template().set("log.format", "xml").call()).hasMessageContaining("format");
    }
}
