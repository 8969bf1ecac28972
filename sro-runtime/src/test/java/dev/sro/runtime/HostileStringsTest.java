package dev.sro.runtime;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.api.resource.SpecialResource;
import dev.sro.runtime.plan.ChartFiles;
import dev.sro.testkit.server.Gvr;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Strings that were written to do harm, in each field of what commands read, from files and from a cluster: no command gives them to a
 * terminal as orders, takes them for a template, or breaks. {@code -Dsro.hostile.seeds=N} tries more.
 */
class HostileStringsTest {

    private static final List<String> STRINGS = List.of(
            "\u001b]0;all is well\u0007",
            "\u001b[2J\u001b[1;1Hall is well",
            "\u001b[8mhidden\u001b[0m",
            "\u009b31mred",
            "first\rall is well",
            "first\nsro: all is well\n",
            "%s%n%1$99999999d",
            "${jndi:ldap://127.0.0.1/x}${env:HOME}",
            "{{ print \"exec\" \"uted\" }}{{ .Values.none.none }}",
            "$(touch /tmp/owned)`touch /tmp/owned`",
            "'; drop: [\"}",
            "\u202egnp.exe\u2028",
            "\ud800",
            "\u0000",
            "a".repeat(70_000),
            "../../../../etc/passwd",
            "",
            " ",
            "-o json --kubeconfig /etc/passwd");

    private static final ObjectMapper JSON =
            JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    @TempDir
    private Path folder;

    /** Nothing but text, no trace of Java, and no defect. */
    private static void isText(Cli cli, Object what) {
        String all = cli.out() + cli.err();
        assertThat(all.chars()
                        .filter(one -> Character.isISOControl(one) && one != '\n' && one != '\t')
                        .mapToObj(Integer::toHexString)
                        .distinct()
                        .toList())
                .as("control characters printed by %s", what)
                .isEmpty();
        assertThat(all).as("%s", what).doesNotContain("this is a defect of sro").doesNotContain("executed");
        assertThat(all)
                .as("the command is asked as it is meant: %s", what)
                .doesNotContain("Unknown option", "Unmatched argument", "Missing required", "Usage: ");
        assertThat(cli.code()).as("%s", what).isBetween(0, 3);
        assertThat(Path.of("/tmp/owned")).doesNotExist();
    }

    /** All places of a document where a string, a number or a truth value stands. */
    private static void leaves(JsonNode node, List<Consumer<String>> found) {
        if (node instanceof ObjectNode object) {
            object.fieldNames().forEachRemaining(name -> {
                if (object.get(name).isValueNode()) {
                    found.add(value -> object.put(name, value));
                } else {
                    leaves(object.get(name), found);
                }
            });
        } else if (node instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                int index = i;
                if (array.get(i).isValueNode()) {
                    found.add(value -> array.set(index, JSON.getNodeFactory().textNode(value)));
                } else {
                    leaves(array.get(i), found);
                }
            }
        }
    }

    private static JsonNode document() {
        return Serialization.unmarshal("""
                apiVersion: sro.openshift.io/v1beta1
                kind: SpecialResource
                metadata:
                  name: demo
                  labels: {a: b}
                  annotations: {a: b}
                spec:
                  namespace: demo
                  chart:
                    name: demo
                    version: 0.1.0
                    repository: {name: example, url: "URL"}
                    tags: [a]
                  set: {kind: Values, image: "quay.io/example/driver:v1", deep: {list: [one]}}
                  nodeSelector: {example.com/device: "true"}
                  driverContainer:
                    source: {git: {uri: "https://git.example.com/a.git", ref: main}}
                    artifacts:
                      images: [{name: a, kind: ImageStreamTag, namespace: b, pullsecret: c, path: [{source: d, destination: e}]}]
                  dependencies: [{name: other, version: 0.1.0, repository: {name: example, url: "URL"}}]
                  upgradePolicy: {autoUpgrade: true, maintenanceWindows: [{days: [Mon], start: "22:00", durationMinutes: 60, timeZone: Europe/Berlin}]}
                  partitioning: {hard: {taints: [{key: a, value: b, effect: NoSchedule}]}}
                """, JsonNode.class);
    }

    static Stream<Integer> seeds() {
        return IntStream.range(0, Integer.getInteger("sro.hostile.seeds", 40)).boxed();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void files(int seed) throws IOException {
        Random random = new Random(seed);
        ChartFiles files = ChartFiles.in(folder);
        files.template("1000-a.yaml", """
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: a}
                data: {deep: {{ .Values.deep | toJson | quote }}, image: {{ .Values.image | quote }}}
                """);
        JsonNode document = JSON.readTree(document()
                .toString()
                .replace("URL", folder.resolve("chart").toUri().toString()));
        List<Consumer<String>> leaves = new ArrayList<>();
        leaves(document, leaves);
        for (int i = random.nextInt(3); i >= 0; i--) {
            leaves.get(random.nextInt(leaves.size())).accept(STRINGS.get(random.nextInt(STRINGS.size())));
        }
        files.write("cr.yaml", JSON.writeValueAsString(document));
        String[][] commands = {
            {"lint", "--kernel", ChartFiles.K1},
            {"plan", "--kernel", ChartFiles.K1},
            {"render", "--kernel", ChartFiles.K1},
            {"diff", "--kernel", ChartFiles.K1},
            {"features"},
        };
        for (String[] command : commands) {
            String[] rest = Stream.of(command).skip(1).toArray(String[]::new);
            isText(files.run(command[0], rest), command[0] + " of " + document);
        }
        isText(
                Cli.run("rbac", "--for", folder.resolve("cr.yaml").toString(), "--kernel", ChartFiles.K1),
                "rbac of " + document);
        for (String command : List.of("import", "migrate")) {
            isText(Cli.run(command, folder.resolve("cr.yaml").toString()), command + " of " + document);
        }
    }

    /** What is only ever told by a cluster: messages, images, names of systems. */
    @Test
    void objectsOfACluster() throws IOException {
        try (HttpSandbox on = new HttpSandbox(folder)) {
            on.sandbox.apply(HttpSandbox.resource("kmod"));
            on.node("n", "kmod");
            on.sandbox.run(Duration.ofMinutes(2));
            for (String hostile : STRINGS) {
                String value = hostile.length() > 30_000 ? hostile.substring(0, 30_000) : hostile;
                on.sandbox.cluster().api().update(Gvr.NODES, "", "n", "status", old -> {
                    ObjectNode info = old.withObject("/status/nodeInfo");
                    info.put("osImage", value).put("containerRuntimeVersion", value);
                    return old;
                });
                on.sandbox
                        .client()
                        .resources(SpecialResource.class)
                        .withName("kmod")
                        .edit(resource -> {
                            resource.getMetadata().getAnnotations().put("example.com/note", value);
                            return resource;
                        });
                on.sandbox.run(Duration.ofSeconds(20));
                on.sandbox
                        .client()
                        .resources(SpecialResource.class)
                        .withName("kmod")
                        .editStatus(resource -> {
                            requireNonNull(resource.getStatus())
                                    .getConditions()
                                    .forEach(condition -> condition.setMessage(value));
                            requireNonNull(resource.getStatus()).getStates().forEach(state -> state.setMessage(value));
                            return resource;
                        });
                for (String form : List.of("text", "json", "yaml")) {
                    isText(on.run("status", "-o", form), "status -o " + form + " with " + hostile);
                    isText(on.run("status", "kmod", "-o", form), "status kmod -o " + form + " with " + hostile);
                    isText(
                            Cli.run("upgrade", "status", "kmod", "-o", form, "--kubeconfig", on.kubeconfig),
                            "upgrade status with " + hostile);
                    isText(
                            Cli.run(
                                    "preflight",
                                    "--kernel",
                                    ChartFiles.K1,
                                    "kmod",
                                    "-o",
                                    form,
                                    "--kubeconfig",
                                    on.kubeconfig),
                            "preflight with " + hostile);
                    isText(
                            Cli.run("slices", "status", "-o", form, "--kubeconfig", on.kubeconfig),
                            "slices status with " + hostile);
                }
                isText(
                        on.run(
                                "must-gather",
                                Files.createTempDirectory(folder, "gather").toString()),
                        "must-gather with " + hostile);
            }
        }
    }
}
