package dev.sro.plugins.nvidia;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.ClusterFacts;
import dev.sro.api.NodeFacts;
import dev.sro.testkit.contract.RenderedPlugin;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What the plugin writes, object by object, as files. {@code -Dsro.golden.update=true} writes them anew, to be read before they
 * are committed.
 */
class GoldenManifestsTest {

    private static final String USUAL = "container";

    private static final boolean UPDATE = Boolean.getBoolean("sro.golden.update");

    private static final Pattern IMAGE = Pattern.compile(" image: \"?([^\"\\s]+)");

    private static final Path FILES = Path.of("src/test/resources/dev/sro/plugins/nvidia/golden");

    static final Map<String, String> PROFILES = Map.of(
            "container",
            "{}",
            "everything",
            "{dcgm: {enabled: true}, nodeStatusExporter: {enabled: true}, gds: {enabled: true}, gdrcopy: {enabled:"
                    + " true}, driver: {rdma: {enabled: true}, secretEnv: more, kernelModuleConfig: {name: modules},"
                    + " repoConfig: {configMapName: repositories}, certConfig: {name: certificates}, licensingConfig:"
                    + " {secretName: licence}, virtualTopology: {config: topology}}, devicePlugin: {config: {name: shares,"
                    + " default: all}}, dcgmExporter: {config: {name: counters}, enablePodLabels: true, hpcJobMapping:"
                    + " {enabled: true}}, daemonsets: {labels: {team: ml}, tolerations: [{key: batch, operator: Exists}],"
                    + " priorityClassName: high, rollingUpdate: {maxUnavailable: 10%}}, mig: {strategy: mixed}}",
            "host-driver",
            "{driver: {enabled: false}, toolkit: {enabled: false}}",
            "sandboxes",
            "{sandboxWorkloads: {enabled: true, mode: kata}, ccManager: {enabled: true},"
                    + " vgpuManager: {repository: registry.example/nvidia, image: vgpu-manager, version: 570.133.10},"
                    + " vgpuDeviceManager: {config: {name: vgpu-layouts}}}",
            "compiled",
            "{driver: {usePrecompiled: false}}",
            "claims",
            "{dra: {enabled: true}, dcgm: {enabled: true}}",
            "slices",
            "{slices: {enabled: true, dasNames: true, repository: registry.example/sro, image: sro-agent, version: 0.1.0}}");

    @ParameterizedTest
    @CsvSource({
        "kubernetes, container",
        "kubernetes, everything",
        "kubernetes, host-driver",
        "kubernetes, sandboxes",
        "kubernetes, claims",
        "kubernetes, slices",
        "openshift, container",
        "openshift, everything",
        "openshift, host-driver",
        "openshift, sandboxes",
        "openshift, claims",
        "openshift, slices",
        "openshift, compiled"
    })
    void theManifestsAreThoseOfTheFile(String platform, String profile) throws IOException {
        boolean openShift = platform.equals("openshift");
        String text = profile.equals(USUAL)
                ? rendered(openShift, USUAL).values().stream().collect(Collectors.joining())
                : difference(rendered(openShift, USUAL), rendered(openShift, profile));

        Path file = FILES.resolve(platform + "-" + profile + ".yaml");
        if (UPDATE) {
            Files.createDirectories(FILES);
            Files.writeString(file, text, StandardCharsets.UTF_8);
        }
        assertThat(text).isEqualTo(Files.readString(file, StandardCharsets.UTF_8));
    }

    /** Images that the administrator names or the cluster brings are not among them, nor those for one kernel. */
    @ParameterizedTest
    @CsvSource({"false", "true"})
    void everyImageIsAmongTheRelatedOnes(boolean openShift) {
        SortedSet<String> used = new TreeSet<>();
        PROFILES.keySet()
                .forEach(profile -> rendered(openShift, profile)
                        .values()
                        .forEach(yaml -> IMAGE.matcher(yaml).results().forEach(found -> used.add(found.group(1)))));

        assertThat(used).hasSizeGreaterThan(15);
        used.removeIf(image -> image.contains(".example/") || image.matches(".*/driver:.*(generic|x86_64)-.*"));
        assertThat(new NvidiaPlugin().descriptor().relatedImages()).containsAll(used);
    }

    @Test
    void onlyWhatCompilesOnTheNodeHasTheToolkitBesideIt() {
        String driver = "DaemonSet nvidia-driver-daemonset-";

        assertThat(driver(rendered(true, USUAL), driver))
                .contains("x86_64-rhcos4.19")
                .doesNotContain("driver-toolkit-ctr", "ocp_dtk_entrypoint");
        assertThat(driver(rendered(true, "compiled"), driver))
                .contains("580.126.20-rhcos4.19", "openshift-driver-toolkit-ctr", "quay.example/dtk@sha256:");
        assertThat(driver(rendered(false, "compiled"), driver)).doesNotContain("toolkit-ctr");
    }

    private static String driver(Map<String, String> objects, String prefix) {
        return objects.entrySet().stream()
                .filter(object -> object.getKey().startsWith(prefix))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElseThrow();
    }

    /** The exporter reads its counters once. */
    @Test
    void otherCountersAreOtherPodsOfTheExporter() {
        Map<String, String> usual = rendered(false, USUAL);
        String counters = Objects.requireNonNull(
                Serialization.unmarshal(usual.get("ConfigMap nvidia-dcgm-counters"), ConfigMap.class)
                        .getData()
                        .get("dcgm-metrics.csv"));
        DaemonSet exporter = Serialization.unmarshal(usual.get("DaemonSet nvidia-dcgm-exporter"), DaemonSet.class);

        assertThat(exporter.getSpec().getTemplate().getMetadata().getAnnotations())
                .containsEntry(Labels.PREFIX + "sro-counters", Values.digest(counters));
        assertThat(rendered(false, "everything").get("DaemonSet nvidia-dcgm-exporter"))
                .as("what an administrator's ConfigMap has is not known")
                .doesNotContain("sro-counters");
    }

    /** What is not as usual, and the names of the rest. */
    private static String difference(Map<String, String> usual, Map<String, String> other) {
        StringBuilder text = new StringBuilder();
        usual.keySet().stream()
                .filter(name -> !other.containsKey(name))
                .forEach(name -> text.append("# not there: ").append(name).append('\n'));
        other.forEach((name, yaml) -> {
            if (yaml.equals(usual.get(name))) {
                text.append("# as usual: ").append(name).append('\n');
            } else {
                text.append(yaml);
            }
        });
        return text.toString();
    }

    private static Map<String, String> rendered(boolean openShift, String profile) {
        ClusterFacts cluster = openShift ? Gpus.openShift() : Gpus.kubernetes();
        NodeFacts node = openShift ? Gpus.rhcos() : Gpus.ubuntu(Map.of());
        RenderedPlugin rendered = RenderedPlugin.of(
                new NvidiaPlugin(), Gpus.parsed(PROFILES.getOrDefault(profile, "")), cluster, List.of(node));
        assertThat(rendered.problems()).isEmpty();
        Map<String, String> texts = new LinkedHashMap<>();
        // Classes for slices have files of their own.
        rendered.objects().stream()
                .filter(object -> !object.getMetadata().getName().endsWith("." + Labels.SLICES_DRIVER))
                .forEach(object ->
                        texts.put(object.getKind() + " " + object.getMetadata().getName(), yaml(object)));
        return texts;
    }

    /** Without what SRO adds to every object. */
    private static String yaml(GenericKubernetesResource object) {
        object.getMetadata().setOwnerReferences(null);
        Map<String, String> labels = object.getMetadata().getLabels();
        labels.keySet().removeIf(key -> key.startsWith("sro.dev/") || key.startsWith("specialresource.openshift.io/"));
        if (labels.isEmpty()) {
            object.getMetadata().setLabels(null);
        }
        // A dashboard is long and has a file of its own: here, what is applied says by its digest whether it changed.
        if (object.getKind().equals("GrafanaDashboard")) {
            object.getAdditionalProperties().put("spec", Map.of());
        } else if (labels.containsKey("grafana_dashboard")) {
            object.getAdditionalProperties().put("data", Map.of());
        }
        return Serialization.asYaml(object);
    }
}
