package dev.sro.runtime.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.resource.SpecialResource;
import dev.sro.core.model.RecipeAccount;
import dev.sro.runtime.Cli;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A driver that no plugin knows, under an operator with the rights of an installation: what {@code sro rbac --for} prints is enough. */
class DriverRightsTest {
    private static final Duration LIMIT = Duration.ofMinutes(20);
    private static final String KERNEL = "5.14.0-427.50.1.el9_4.x86_64";

    private static final String RESOURCE = """
        apiVersion: sro.openshift.io/v1beta1
        kind: SpecialResource
        metadata: {name: acme}
        spec:
          namespace: acme
          nodeSelector: {example.com/acme: "true"}
          driver:
            containerImage: registry.example/acme:${KERNEL_FULL_VERSION}
            loader: %s
            modprobe: {moduleName: acme}
        ---
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: acme, namespace: acme}
        data:
          2000-after.yaml: "{apiVersion: v1, kind: ConfigMap, metadata: {name: settings}}"
        """;

    @TempDir
    private Path folder;

    private static void apply(KubernetesClient client, String documents) {
        client.load(new ByteArrayInputStream(("---\n" + documents).getBytes(StandardCharsets.UTF_8)))
                .items()
                .forEach(object -> client.resource(object).serverSideApply());
    }

    private void install(SroSandbox sandbox, Path plugins) {
        Cli rights = Cli.run("rbac", "-o", "yaml", "--plugins", plugins.toString());
        assertThat(rights.code()).isZero();
        apply(sandbox.client(), """
            {apiVersion: v1, kind: Namespace, metadata: {name: special-resource-operator}}
            ---
            {apiVersion: v1, kind: Namespace, metadata: {name: acme}}
            ---
            {apiVersion: v1, kind: ServiceAccount, metadata: {name: special-resource-operator, namespace: special-resource-operator}}
            """);
        apply(sandbox.client(), rights.out());
        sandbox.operatorAccount("special-resource-operator", "special-resource-operator")
                .recipeAccount(RecipeAccount.DEFAULT);
        sandbox.kill();
        sandbox.start();
    }

    private static Map<String, String> reasons(SroSandbox sandbox) {
        Map<String, String> reasons = new TreeMap<>();
        sandbox.get("acme")
                .map(found -> found.getStatus())
                .ifPresent(status -> status.getConditions().stream()
                        .filter(condition -> condition.getStatus().equals("True"))
                        .forEach((Condition condition) -> reasons.put(condition.getType(), condition.getReason())));
        return reasons;
    }

    @ParameterizedTest
    @ValueSource(strings = {"DriverDaemonSet", "WorkerPod"})
    void whatIsPrintedIsEnoughToLoad(String loader) throws IOException {
        Path plugins = Files.createDirectories(folder.resolve("none"));
        String resource = RESOURCE.formatted(loader);
        try (SroSandbox sandbox = SroSandbox.create()) {
            sandbox.nodes()
                    .create(
                            "one",
                            NodeProfile.of(OsRelease.RHEL_9).withKernel(KERNEL).withLabel("example.com/acme", "true"));
            install(sandbox, plugins);
            apply(sandbox.client(), resource);
            sandbox.run(LIMIT);
            assertThat(reasons(sandbox)).as(sandbox.explain("acme")).containsEntry("Degraded", "Forbidden");

            Path file = Files.writeString(folder.resolve("special-resource.yaml"), resource);
            Cli cli = Cli.run("rbac", "--for", file.toString(), "--kernel", KERNEL, "--plugins", plugins.toString());
            assertThat(cli.err()).isEmpty();
            assertThat(cli.code()).isZero();
            assertThat(cli.out())
                    .contains("# SRO: to load the modules of spec.driver, from the namespace of the operands\n");
            apply(sandbox.client(), cli.out());

            sandbox.awaitReady("acme", LIMIT);
            sandbox.client().resources(SpecialResource.class).withName("acme").delete();
            assertThat(sandbox.runUntil(LIMIT, () -> sandbox.get("acme").isEmpty()))
                    .as(() -> sandbox.explain("acme"))
                    .isTrue();
        }
    }

    @Test
    void statesOfItsOwnNeedNothing() throws IOException {
        Path file = Files.writeString(folder.resolve("special-resource.yaml"), RESOURCE.formatted("OwnStates"));
        Cli cli = Cli.run(
                "rbac",
                "--for",
                file.toString(),
                "--kernel",
                KERNEL,
                "--plugins",
                Files.createDirectories(folder.resolve("none")).toString());

        assertThat(cli.out()).doesNotContain("# SRO: to load");
    }
}
