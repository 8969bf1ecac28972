package dev.sro.runtime.charts;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sro.core.plugin.Plugins;
import dev.sro.core.recipe.chart.ChartLoader;
import dev.sro.core.recipe.chart.HelmRenderer;
import dev.sro.core.recipe.source.FileCharts;
import dev.sro.core.yaml.Yaml;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.sim.Behavior;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Simulated nodes, and SRO, for one {@link RecipeText}; what it expects is asked of the API server. */
final class RecipeWorld implements AutoCloseable {
    static final String KERNEL = "4.18.0-305.45.1.el8_4.x86_64";
    private static final Duration LIMIT = Duration.ofMinutes(40);
    /** How long what is deleted may be about to go. */
    private static final Duration GOING = Duration.ofMinutes(2);

    private static final ObjectMapper JSON = new ObjectMapper();

    private final RecipeText recipe;
    private final Path folder;
    private final SroSandbox sandbox;
    private final ClusterChanges changes;
    private final Map<String, String> seen = new LinkedHashMap<>();

    RecipeWorld(RecipeText recipe, Path folder, HelmRenderer renderer) {
        this.recipe = recipe;
        this.folder = folder;
        sandbox = SroSandbox.create(!recipe.one("openshift", "true").equals("false"), Plugins.of());
        sandbox.kill();
        sandbox.charts(Map.of("file", new FileCharts(new ChartLoader())), renderer);
        for (String kind : recipe.all("serve")) {
            String[] words = kind.split(" ");
            String[] version = words[0].split("/");
            sandbox.serve(version[0], version[1], words[1], words[2], words.length < 4);
        }
        for (String log : recipe.all("log")) {
            String[] words = log.split(" ", 2);
            sandbox.simulation().logs().image(words[0], words[1].replace("\\n", "\n"));
        }
        recipe.all("ends")
                .forEach(image -> sandbox.simulation()
                        .behaviors()
                        .add(Behavior.succeedAfter(Duration.ofSeconds(20)).image(image)));
        recipe.all("fails")
                .forEach(image -> sandbox.simulation()
                        .behaviors()
                        .add(Behavior.fail(1, Duration.ofSeconds(20)).image(image)));
        recipe.all("unpullable")
                .forEach(image -> sandbox.simulation()
                        .behaviors()
                        .add(Behavior.pullError("manifest unknown").image(image)));
        recipe.all("crashes")
                .forEach(image -> sandbox.simulation()
                        .behaviors()
                        .add(Behavior.crashLoop().image(image)));
        NodeProfile node = node();
        nodes(node);
        changes = new ClusterChanges(sandbox, node);
        sandbox.run(Duration.ofMinutes(2));
        recipe.all("map").forEach(this::map);
        if (recipe.files().containsKey("before.yaml")) {
            documents("before.yaml").forEach(this::create);
        }
        sandbox.start();
    }

    private OsRelease os() {
        return switch (recipe.one("os", "")) {
            case "ubuntu" -> OsRelease.UBUNTU_22;
            case "rhcos9" -> OsRelease.RHCOS_9;
            case "sles" -> OsRelease.SLES_15;
            default -> OsRelease.RHCOS_8;
        };
    }

    private NodeProfile node() {
        NodeProfile node = NodeProfile.of(os()).withRole("worker").withArchitecture(recipe.one("arch", "amd64"));
        for (String label : recipe.all("label")) {
            String[] pair = label.split("=", 2);
            node = node.withLabel(pair[0], pair[1]);
        }
        for (String device : recipe.all("pci")) {
            String[] ids = device.split(" ");
            node = node.withPci(ids[0], ids[1], ids[2]);
        }
        return recipe.one("nfd", "true").equals("true") ? node : node.withoutNfd();
    }

    private void nodes(NodeProfile node) {
        int count = 0;
        for (String kernel : recipe.one("kernels", os().equals(OsRelease.RHCOS_8) ? KERNEL : "")
                .split(" ")) {
            NodeProfile one = kernel.isEmpty() ? node : node.withKernel(kernel);
            for (String label : recipe.all("label-of-" + count)) {
                one = one.withLabel(label.split("=")[0], label.split("=", 2)[1]);
            }
            sandbox.nodes().create("node-" + count++, one);
        }
    }

    /** What "kubectl create configmap NAME --from-file=manifests" does. */
    private void map(String name) {
        // Of namespace, name and annotations.
        String[] words = name.replaceFirst("/", " ").split(" ");
        Map<String, String> data = new TreeMap<>();
        recipe.files().forEach((path, content) -> {
            if (path.startsWith("manifests/")) {
                data.put(path.substring(path.lastIndexOf('/') + 1), content);
            }
        });
        sandbox.client()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(words[0])
                        .endMetadata()
                        .build())
                .create();
        Map<String, String> annotations = new LinkedHashMap<>();
        for (int i = 2; i < words.length; i++) {
            annotations.put("specialresource.openshift.io/" + words[i].split("=")[0], words[i].split("=", 2)[1]);
        }
        sandbox.client()
                .resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace(words[0])
                        .withName(words[1])
                        .withAnnotations(annotations)
                        .addToLabels(
                                annotations.isEmpty()
                                        ? Map.of()
                                        : Map.of("specialresource.openshift.io/config", "true"))
                        .endMetadata()
                        .withData(data)
                        .build())
                .create();
    }

    private List<Map<String, Object>> documents(String file) {
        return Yaml.documents(file, Objects.requireNonNull(recipe.files().get(file)));
    }

    private void create(Map<String, Object> object) {
        GenericKubernetesResource resource =
                Serialization.unmarshal(Serialization.asJson(object), GenericKubernetesResource.class);
        sandbox.client().resource(resource).create();
    }

    /** Applies special resources, or deletes what is only named. */
    void apply(String text) {
        String yaml = text.replace("@charts@", folder.resolve("charts").toUri().toString())
                .replace("@manifests@", folder.resolve("manifests").toUri().toString());
        for (Map<String, Object> document : ClusterChanges.of(yaml)) {
            if (document.containsKey("delete")) {
                delete(String.valueOf(document.get("delete")));
            } else if (!changes.make(document)) {
                sandbox.apply(Serialization.asYaml(document));
            }
        }
    }

    private void delete(String name) {
        sandbox.get(name).ifPresent(found -> sandbox.client().resource(found).delete());
        assertThat(sandbox.runUntil(LIMIT, () -> sandbox.get(name).isEmpty()))
                .as(() -> name + " goes: " + sandbox.explain(name))
                .isTrue();
    }

    /** Whether each of the lines holds, or comes to hold. */
    void await(List<String> expected) {
        List<AssertionError> wrong = new ArrayList<>();
        for (String line : expected) {
            try {
                await(line);
            } catch (AssertionError e) {
                wrong.add(e);
            }
        }
        if (wrong.size() == 1) {
            throw wrong.get(0);
        }
        assertThat(wrong).extracting(Throwable::getMessage).isEmpty();
    }

    private void await(String line) {
        String[] words = line.split(" ", 3);
        switch (words[0]) {
            case "ready" ->
                assertThat(sandbox.runUntil(LIMIT, () -> sandbox.isReady(words[1])))
                        .as(() -> sandbox.explain(words[1]))
                        .isTrue();
            case "errored", "waiting" -> {
                sandbox.run(Duration.ofMinutes(15));
                assertThat(sandbox.state(words[1]))
                        .as(line)
                        .startsWith(words[0].equals("errored") ? "Errored:" : "Progressing:")
                        .contains(words[2].split(" \\| "));
            }
            case "says" -> {
                sandbox.run(Duration.ofMinutes(15));
                assertThat(sandbox.isReady(words[1])).as(line).isFalse();
                assertThat(conditions(words[1])).contains(words[2].split(" \\| "));
            }
            case "idle" -> {
                sandbox.run(Duration.ofMinutes(15));
                assertThat(sandbox.state(words[1])).isEqualTo("Ready: no node matches, nothing to do");
            }
            case "rests" -> sandbox.run(Duration.ofMinutes(15));
            case "warns" -> assertThat(warning(words[1])).contains(words[2].split(" \\| "));
            case "quiet" -> assertThat(warning(words[1])).isEmpty();
            default -> object(line, words);
        }
    }

    /** The same of an object, by the version of its kind, kind and name. */
    private void object(String line, String[] words) {
        switch (words[0]) {
            case "has" -> has(words[1], words[2]);
            case "same" ->
                assertThat(value(words[1], words[2].split(" ")))
                        .as(line)
                        .isEqualTo(seen.computeIfAbsent(line, first -> value(words[1], words[2].split(" "))));
            case "lacks" ->
                assertThat(JSON.valueToTree(find(words[1], words[2].split(" ")).orElseThrow())
                                .at(words[2].split(" ")[2])
                                .isMissingNode())
                        .as(line)
                        .isTrue();
            case "no" ->
                assertThat(sandbox.runUntil(
                                GOING, () -> find(words[1], words[2].split(" ")).isEmpty()))
                        .as(line)
                        .isTrue();
            default -> throw new IllegalArgumentException(line);
        }
    }

    private String value(String version, String[] words) {
        return JSON.valueToTree(find(version, words).orElseThrow()).at(words[2]).toString();
    }

    private void has(String version, String rest) {
        String[] words = rest.split(" ", 4);
        Optional<GenericKubernetesResource> found = find(version, words);
        assertThat(found)
                .as(() -> version + " " + rest + " among " + names(version, words[0]))
                .isPresent();
        if (words.length > 2) {
            JsonNode value = JSON.valueToTree(found.orElseThrow()).at(words[2]);
            String text = value.isValueNode() ? value.asText() : value.toString();
            String expected = words[3].substring(2);
            assertThat(text)
                    .as(version + " " + rest)
                    .isEqualTo(value.isValueNode() ? expected.replace("\\n", "\n") : expected);
        }
    }

    private Optional<GenericKubernetesResource> find(String version, String[] words) {
        String[] name = words[1].split("/");
        var kind = sandbox.client().genericKubernetesResources(version, words[0]);
        return Optional.ofNullable(
                name.length == 1
                        ? kind.withName(name[0]).get()
                        : kind.inNamespace(name[0]).withName(name[1]).get());
    }

    private List<String> names(String version, String kind) {
        return sandbox.client().genericKubernetesResources(version, kind).inAnyNamespace().list().getItems().stream()
                .map(Leftovers::name)
                .toList();
    }

    /** All that the conditions say. */
    private String conditions(String name) {
        return sandbox.get(name)
                .map(found -> Objects.requireNonNull(found.getStatus()))
                .map(status -> status.getConditions().stream()
                        .map(condition -> String.valueOf(condition.getMessage()))
                        .collect(Collectors.joining("\n")))
                .orElse("");
    }

    private String warning(String name) {
        return sandbox.get(name)
                .map(found -> Objects.requireNonNull(found.getStatus()))
                .flatMap(status -> status.getConditions().stream()
                        .filter(c -> "Warning".equals(c.getType()) && "True".equals(c.getStatus()))
                        .findFirst())
                .map(c -> c.getMessage())
                .orElse("");
    }

    /** That nothing is asked or written where nothing changes, and a new operator has nothing to do. */
    void rests() {
        sandbox.run(Duration.ofMinutes(11));
        sandbox.cluster().recording().start();
        sandbox.run(Duration.ofMinutes(30));
        assertThat(sandbox.cluster()
                        .recording()
                        .entries(e -> e.userAgent().equals("sro") && !e.verb().equals("watch")))
                .as("requests when nothing changes")
                .isEmpty();
        sandbox.kill();
        sandbox.start();
        sandbox.run(Duration.ofMinutes(5));
        assertThat(sandbox.cluster().recording().entries(e -> e.userAgent().equals("sro") && e.isWrite()))
                .as("writes after a restart")
                .isEmpty();
    }

    /** That all of them go, and take with them what they made, in whichever order. */
    void allGo() {
        List<String> names = new ArrayList<>();
        sandbox.client()
                .resources(dev.sro.api.resource.SpecialResource.class)
                .list()
                .getItems()
                .forEach(found -> names.add(found.getMetadata().getName()));
        // One that others depend on is made anew as long as they are there.
        names.forEach(name -> sandbox.get(name)
                .ifPresent(found -> sandbox.client().resource(found).delete()));
        names.forEach(this::delete);
        sandbox.run(Duration.ofMinutes(5));
        assertThat(new Leftovers(sandbox.client()).named())
                .as("what is left")
                .containsExactlyInAnyOrderElementsOf(recipe.all("stays"));
    }

    @Override
    public void close() {
        sandbox.close();
    }
}
