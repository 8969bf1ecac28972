package dev.sro.runtime;

import static dev.sro.runtime.HostileStrings.isText;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.yaml.Yaml;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hostile words for commands that write to a cluster, and hostile strings in what those read there that {@link HostileStringsTest} has not. */
class HostileClusterTest {
    /** What is tried here. */
    static final Set<String> COMMANDS = Set.of(
            "sro slices cordon",
            "sro slices uncordon",
            "sro slices import-das",
            "sro test",
            "sro upgrade pause",
            "sro upgrade resume",
            "sro upgrade retry",
            "sro upgrade rollback",
            "sro upgrade skip");

    @TempDir
    private Path folder;

    private HttpSandbox on;

    @BeforeEach
    void start() throws IOException {
        on = new HttpSandbox(folder);
    }

    @AfterEach
    void close() {
        on.close();
    }

    private void tried(String... words) {
        String[] all = new String[words.length];
        for (int i = 0; i < words.length; i++) {
            all[i] = words[i].replace("@", on.kubeconfig);
        }
        String what = String.join(" ", all);
        isText(Cli.run(all), what.length() > 3_000 ? what.substring(0, 3_000) + "..." : what);
    }

    @Test
    void wordsForAClusterThatIsChanged() {
        on.sandbox.apply(HttpSandbox.resource("kmod"));
        on.node("n", "kmod");
        on.sandbox.run(Duration.ofMinutes(2));
        Random random = new Random(1);
        for (int i = 0; i < HostileStrings.ALL.size(); i++) {
            String hostile = HostileStrings.anyWord(random);
            String form = List.of("text", "json", "yaml").get(i % 3);
            tried("slices", "cordon", "--kubeconfig", "@", "--reason=" + hostile, "-o", form, "n/0000:3b:00.0");
            tried("slices", "uncordon", "--kubeconfig", "@", "-o", form, "n/0000:3b:00.0");
            tried("slices", "cordon", "--kubeconfig", "@", "-o", form, "--", "n/" + hostile);
            tried("slices", "uncordon", "--kubeconfig", "@", "-o", form, "--", hostile);
            tried("test", "--kubeconfig", "@", "--", hostile);
            for (String action : List.of("pause", "resume", "rollback")) {
                tried("upgrade", action, "--kubeconfig", "@", "-o", form, "--", hostile);
            }
            for (String action : List.of("retry", "skip")) {
                tried("upgrade", action, "--kubeconfig", "@", "-o", form, "--", "kmod", hostile);
            }
        }
    }

    @Test
    void claimsOfDas() {
        KubernetesClient client = on.sandbox.client();
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName("das-operator")
                        .endMetadata()
                        .build())
                .create();
        Yaml.documents("out", Cli.run("crd", "--das").out())
                .forEach(definition -> client.resource(client.getKubernetesSerialization()
                                .convertValue(definition, GenericKubernetesResource.class))
                        .create());
        on.sandbox.cluster().settle();
        int taken = 0;
        for (int i = 0; i < HostileStrings.ALL.size(); i++) {
            String hostile = HostileStrings.ALL.get(i);
            for (String field : List.of("profile", "gpuUUID", "nodename", "podRef")) {
                taken += claim(client, "c-" + i + "-" + field.toLowerCase(Locale.ROOT), field, hostile) ? 1 : 0;
            }
        }
        assertThat(taken).isGreaterThan(HostileStrings.ALL.size());
        for (String form : List.of("text", "json", "yaml")) {
            tried("slices", "import-das", "--kubeconfig", "@", "-o", form);
        }
        tried("slices", "import-das", "--kubeconfig", "@", "--apply");
        tried("slices", "import-das", "--kubeconfig", "@", "--das-namespace=first\n" + HostileStrings.FORGED);
    }

    /** Whether the API server has taken it. */
    private static boolean claim(KubernetesClient client, String name, String field, String hostile) {
        GenericKubernetesResource claim =
                client.getKubernetesSerialization().unmarshal("""
                    apiVersion: inference.redhat.com/v1alpha1
                    kind: AllocationClaim
                    metadata: {name: "%s", namespace: das-operator}
                    spec:
                      profile: 1g.5gb
                      podRef: {kind: Pod, namespace: default, name: gone, uid: u}
                      migPlacement: {size: 1, start: 0}
                      gpuUUID: GPU-1
                      nodename: n1
                    """.formatted(name), GenericKubernetesResource.class);
        @SuppressWarnings("unchecked")
        Map<String, Object> spec =
                (Map<String, Object>) claim.getAdditionalProperties().get("spec");
        if (spec == null) {
            throw new IllegalStateException("a claim without spec");
        }
        spec.put(
                field,
                field.equals("podRef")
                        ? Map.of("kind", "Pod", "namespace", hostile, "name", hostile, "uid", "u")
                        : hostile);
        try {
            client.resource(claim).create();
            return true;
        } catch (KubernetesClientException e) {
            return false;
        }
    }
}
