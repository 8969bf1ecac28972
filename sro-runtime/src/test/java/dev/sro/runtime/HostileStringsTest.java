package dev.sro.runtime;

import static dev.sro.runtime.HostileStrings.isText;
import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.api.resource.SpecialResource;
import dev.sro.runtime.plan.ChartFiles;
import dev.sro.testkit.server.Gvr;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
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

    /** What is tried here; {@link HostileInputsTest} has the rest. */
    static final Set<String> COMMANDS = Set.of(
            "sro lint",
            "sro plan",
            "sro render",
            "sro diff",
            "sro features",
            "sro rbac",
            "sro import",
            "sro migrate",
            "sro status",
            "sro upgrade status",
            "sro preflight",
            "sro slices status",
            "sro must-gather");

    @TempDir
    private Path folder;

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
        return HostileStrings.seeds();
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
        JsonNode document = HostileStrings.JSON.readTree(document()
                .toString()
                .replace("URL", folder.resolve("chart").toUri().toString()));
        document = HostileStrings.changed(document, random);
        files.write("cr.yaml", HostileStrings.JSON.writeValueAsString(document));
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
            int tried = 0;
            for (String hostile : HostileStrings.ALL) {
                String value = hostile;
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
                for (String form : List.of(List.of("text", "json", "yaml").get(tried++ % 3))) {
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
