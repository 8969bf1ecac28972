package dev.sro.plugins.nvidia;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sro.api.NodeFacts;
import dev.sro.api.Problem;
import dev.sro.api.device.Exposure;
import dev.sro.api.device.Handover;
import dev.sro.core.dra.DraClasses;
import dev.sro.core.dra.DraOptions;
import dev.sro.core.dra.DraServer;
import dev.sro.core.dra.NodeMarks;
import dev.sro.testkit.contract.RenderedPlugin;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the plugin brings of SRO's agent is what the agent's own installation has, and classes are those of the library. */
class SlicesStackTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    private static final Path INSTALL = Path.of("../sro-runtime/agent/install");

    private static final Path RESOURCES = Path.of("src/main/resources/dev/sro/plugins/nvidia");

    private static final String SLICES = "{" + ExposureScenarioTest.SLICES + "}";

    private static List<JsonNode> rendered() {
        RenderedPlugin rendered = RenderedPlugin.of(
                new NvidiaPlugin(), Gpus.parsed(SLICES), Gpus.kubernetes(), List.of(Gpus.ubuntu(Map.of())));
        assertThat(rendered.problems()).isEmpty();
        return rendered.objects().stream().<JsonNode>map(JSON::valueToTree).toList();
    }

    private static List<JsonNode> installed(String file) throws IOException {
        List<JsonNode> objects = new ArrayList<>();
        for (String text : Files.readString(INSTALL.resolve(file)).split("(?m)^---\n", -1)) {
            objects.add(JSON.valueToTree(new KubernetesSerialization().unmarshal(text, Map.class)));
        }
        return objects;
    }

    private static JsonNode only(List<JsonNode> objects, String kind, String name) {
        return objects.stream()
                .filter(object -> object.path("kind").asText().equals(kind)
                        && object.at("/metadata/name").asText().contains(name))
                .findFirst()
                .orElseThrow();
    }

    /** By name, with the lists of the container and the pod; but for those that the driver's root is found by. */
    private static Map<String, JsonNode> byName(JsonNode list, String... own) {
        Map<String, JsonNode> named = new TreeMap<>();
        list.forEach(one -> named.put(one.path("name").asText(), one));
        List.of(own).forEach(named::remove);
        return named;
    }

    private static final String[] ROOTS = {"driver-root", "driver-install-dir", "host-root", "run-nvidia-validations"};

    @Test
    void theAgentIsThatOfItsInstallation() throws IOException {
        JsonNode ours = only(rendered(), "DaemonSet", "nvidia-slices-agent").at("/spec/template/spec");
        JsonNode theirs = only(installed("nvidia/daemonset.yaml"), "DaemonSet", "sro-agent")
                .at("/spec/template/spec");

        assertThat(byName(ours.path("volumes"), ROOTS)).isEqualTo(byName(theirs.path("volumes"), ROOTS));
        JsonNode container = ours.at("/containers/0");
        JsonNode installed = theirs.at("/containers/0");
        assertThat(byName(container.path("volumeMounts"), ROOTS))
                .isEqualTo(byName(installed.path("volumeMounts"), ROOTS));
        for (String same : List.of("securityContext", "resources", "ports", "livenessProbe", "readinessProbe", "env")) {
            assertThat(container.path(same)).as(same).isEqualTo(installed.path(same));
        }
        assertThat(ours.path("priorityClassName")).isEqualTo(theirs.path("priorityClassName"));
        assertThat(container.path("args").toString()).contains("--metrics\",\"0.0.0.0:8081");
        assertThat(ours.has("hostPID") || ours.has("hostNetwork")).isFalse();
    }

    @Test
    void theAgentMayDoWhatItsInstallationLetsItDo() throws IOException {
        List<JsonNode> ours = rendered();
        List<JsonNode> theirs = installed("base/rbac.yaml");

        assertThat(only(ours, "ClusterRole", "nvidia-slices-agent").path("rules"))
                .isEqualTo(only(theirs, "ClusterRole", "sro-agent").path("rules"));
        JsonNode events = ours.stream()
                .filter(object -> object.path("kind").asText().equals("Role")
                        && object.at("/metadata/namespace").asText().equals("default"))
                .findFirst()
                .orElseThrow();
        assertThat(events.path("rules"))
                .isEqualTo(only(theirs, "Role", "sro-agent").path("rules"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"slices", "nodes"})
    void thePoliciesAreThoseOfTheInstallation(String what) throws IOException {
        JsonNode ours = only(rendered(), "ValidatingAdmissionPolicy", "nvidia-slices-agent-" + what);
        JsonNode theirs = only(installed("base/admission.yaml"), "ValidatingAdmissionPolicy", "sro-agent-" + what);

        String account = "system:serviceaccount:sro-agent:sro-agent";
        assertThat(ours.path("spec").toString())
                .isEqualTo(theirs.path("spec")
                        .toString()
                        .replace(account, "system:serviceaccount:nvidia-gpu-operator:nvidia-slices-agent"));
        assertThat(only(rendered(), "ValidatingAdmissionPolicyBinding", "nvidia-slices-agent-" + what)
                        .at("/spec/policyName"))
                .isEqualTo(ours.at("/metadata/name"));
    }

    /** {@code -Dsro.golden.update=true} writes them anew. */
    @ParameterizedTest
    @CsvSource({"slices-classes.yaml, false", "slices-das-classes.yaml, true"})
    void theClassesAreThoseOfAllModels(String file, boolean das) throws IOException {
        DraOptions options = DraOptions.of(new DraServer(36, 3));
        Set<String> usual = new TreeSet<>();
        DraClasses.create(dev.sro.core.slicing.catalogue.Catalogue.builtin().models(), options, false)
                .forEach(one -> usual.add(one.getMetadata().getName()));
        List<DeviceClass> wanted =
                DraClasses.create(
                                dev.sro.core.slicing.catalogue.Catalogue.builtin()
                                        .models(),
                                options,
                                das)
                        .stream()
                        .filter(one -> !das || !usual.contains(one.getMetadata().getName()))
                        .toList();
        Path path = RESOURCES.resolve(file);
        if (Boolean.getBoolean("sro.golden.update")) {
            StringBuilder text = new StringBuilder("# What pods ask for, made of the catalogue of models by a test.\n");
            String separator = "";
            for (DeviceClass one : wanted) {
                text.append(separator).append(Serialization.asYaml(one).replace("---\n", ""));
                separator = "---\n";
            }
            Files.writeString(path, text.toString(), StandardCharsets.UTF_8);
        }
        List<DeviceClass> there = new ArrayList<>();
        for (String text : Files.readString(path).split("(?m)^---\n", -1)) {
            there.add(Serialization.unmarshal(text, DeviceClass.class));
        }
        assertThat(there).isEqualTo(wanted);
        assertThat(there.size()).isGreaterThan(10);
    }

    @Test
    void theNamesAreThoseOfTheAgent() {
        assertThat(Labels.SLICES_MODE).isEqualTo(NodeMarks.MODE);
        assertThat(Labels.SLICES_DRIVER).isEqualTo(DraOptions.DRIVER);
        List<String> modes = List.of(
                ConfigFields.OWN.field("slices.mode").orElseThrow().type().split(",", -1));
        assertThat(modes).allMatch(mode -> NodeMarks.Mode.of(mode).isPresent()).hasSize(NodeMarks.Mode.values().length);
    }

    private static Optional<Handover> handover(String settings, Map<String, String> labels) {
        NodeFacts node = Gpus.ubuntu(labels);
        return new NvidiaPlugin().handover(node, Gpus.context(Gpus.kubernetes(), settings));
    }

    @Test
    void aNodeGoesOverOnlyWhenItsLabelsSaySo() {
        Map<String, String> asked = Map.of(Labels.EXPOSURE, "slices", Labels.EXPOSURE_STATE, "device-plugin");

        assertThat(handover(SLICES, Map.of())).isEmpty();
        assertThat(handover(SLICES, Map.of(Labels.EXPOSURE, "slices")))
                .as("a new node")
                .isEmpty();
        assertThat(handover("{}", Map.of(Labels.EXPOSURE, "slices"))).isEmpty();
        assertThat(handover(SLICES, asked)).hasValueSatisfying(handover -> {
            assertThat(handover.from().mode()).isEqualTo(Exposure.Mode.DEVICE_PLUGIN);
            assertThat(handover.between())
                    .containsEntry(Labels.EXPOSURE_STATE, "device-plugin")
                    .doesNotContainKeys(
                            Labels.DEPLOY + "device-plugin", Labels.DEPLOY + "slices-agent", Labels.SLICES_MODE);
            assertThat(handover.after())
                    .containsEntry(Labels.EXPOSURE_STATE, "slices")
                    .containsEntry(Labels.DEPLOY + "slices-agent", "true")
                    .doesNotContainKey(Labels.DEPLOY + "device-plugin");
        });
    }

    @Test
    void aNodeFromBeforeThereWereSlicesIsOneOfTheDevicePlugin() {
        assertThat(handover(SLICES, Map.of(Labels.EXPOSURE, "slices", Labels.DEPLOY + "device-plugin", "true")))
                .isPresent();
    }

    /** They put labels back when they are done: the device plugin would come back under the agent, or never. */
    @ParameterizedTest
    @CsvSource({
        "nvidia.com/mig.config.state, pending",
        "nvidia.com/mig.config.state, rebooting",
        "nvidia.com/gpu.deploy.device-plugin, paused-for-mig-change",
        "nvidia.com/gpu.deploy.gpu-feature-discovery, paused-for-driver-upgrade"
    })
    void aNodeOnWhichAManagerIsAtWorkStaysAsItIs(String label, String value) {
        assertThat(handover(
                        SLICES,
                        Map.of(Labels.EXPOSURE, "slices", Labels.EXPOSURE_STATE, "device-plugin", label, value)))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{slices: {enabled: true}} | slices.image: must be said",
                "{slices: {enabled: true, image: a/b}} | slices.version: must be said",
                "{dra: {enabled: true}, slices: {enabled: true, image: 'a/b:1'}} | enable one of slices and dra"
            })
    void settingsThatCannotWorkAreRefused(String config, String said) {
        assertThat(new NvidiaPlugin().validate(Gpus.context(Gpus.kubernetes(), config)))
                .extracting(Problem::message)
                .anyMatch(message -> message.contains(said));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{slices: {enabled: true, image: 'registry.example:5000/sro/agent:1'}}", SLICES_OF_PARTS})
    void anImageIsNamedAtOnceOrInParts(String config) {
        assertThat(new NvidiaPlugin().validate(Gpus.context(Gpus.kubernetes(), config)))
                .isEmpty();
    }

    private static final String SLICES_OF_PARTS =
            "{slices: {enabled: true, repository: registry.example/sro, image: sro-agent, version: '1'}}";
}
