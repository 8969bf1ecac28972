package dev.sro.runtime.imports;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.resource.SpecialResourceStatus;
import dev.sro.runtime.Cli;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImportCommandTest {

    private static final String MODULE = """
        apiVersion: kmm.sigs.x-k8s.io/v1beta1
        kind: Module
        metadata: {name: acme, namespace: acme-drivers}
        spec:
          selector: {example.com/acme: "true"}
          imageRepoSecret: {name: login}
          moduleLoader:
            container:
              modprobe:
                moduleName: acme
                parameters: [power=low]
                modulesLoadingOrder: [acme, acme_core]
              inTreeModulesToRemove: [acme_old]
              kernelMappings:
              - literal: 5.14.0-427.50.1.el9_4.x86_64
                containerImage: registry.example/acme-el9:$KERNEL_FULL_VERSION
              - regexp: '^.+$'
                containerImage: registry.example/acme:${KERNEL_FULL_VERSION}
        """;

    private static final String PLUGIN = """
          devicePlugin:
            container:
              image: registry.example/acme-plugin:1
              args: ["--format", "{{.Name}}"]
              volumeMounts: [{name: config, mountPath: /etc/acme}]
            volumes: [{name: config, hostPath: {path: /etc/acme, type: DirectoryOrCreate}}]
          tolerations: [{key: example.com/acme, operator: Exists}]
        """;

    @TempDir
    private Path folder;

    private Cli convert(String text) throws IOException {
        return Cli.run(
                "import", Files.writeString(folder.resolve("module.yaml"), text).toString());
    }

    /** Both machines load the module, by the image of their kernel. */
    private static void runs(String objects) {
        try (SroSandbox sandbox = SroSandbox.create()) {
            NodeProfile machine = NodeProfile.of(OsRelease.RHEL_9).withLabel("example.com/acme", "true");
            sandbox.nodes()
                    .create("mapped", machine.withKernel("5.14.0-427.50.1.el9_4.x86_64"))
                    .create("other", machine.withKernel("5.14.0-503.11.1.el9_5.x86_64"));
            sandbox.client()
                    .resource(new NamespaceBuilder()
                            .withNewMetadata()
                            .withName("acme-drivers")
                            .endMetadata()
                            .build())
                    .create();
            sandbox.client()
                    .load(new ByteArrayInputStream(objects.getBytes(StandardCharsets.UTF_8)))
                    .items()
                    .forEach(object -> sandbox.client().resource(object).create());

            assertThat(sandbox.runUntil(Duration.ofMinutes(10), () -> sandbox.isReady("acme")))
                    .as(sandbox.state("acme"))
                    .isTrue();
            SpecialResourceStatus status =
                    requireNonNull(sandbox.get("acme").orElseThrow().getStatus());
            assertThat(status.getPools())
                    .extracting("driverImage")
                    .containsExactlyInAnyOrder(
                            "registry.example/acme-el9:5.14.0-427.50.1.el9_4.x86_64",
                            "registry.example/acme:5.14.0-503.11.1.el9_5.x86_64");
        }
    }

    @Test
    void theDriverGoesOverAsItIsAndGetsReady() throws IOException {
        Cli cli = convert(MODULE);

        assertThat(cli.err()).isEmpty();
        assertThat(cli.code()).isZero();
        assertThat(cli.out())
                .contains("namespace: acme-drivers", "modulesLoadingOrder:", "- acme_old", "loader: WorkerPod")
                .contains("imageRepoSecret:");
        runs(cli.out());
    }

    @Test
    void anImageWithNeitherTagNorDigestIsTheLatest() throws IOException {
        Cli cli = convert(
                MODULE.replace("registry.example/acme:${KERNEL_FULL_VERSION}", "registry.example:5000/acme/driver"));

        assertThat(cli.code()).isZero();
        assertThat(cli.err())
                .isEqualTo(
                        "note: Module acme-drivers/acme: containerImage registry.example:5000/acme/driver has neither"
                                + " tag nor digest; it is registry.example:5000/acme/driver:latest\n");
        assertThat(cli.out()).contains("registry.example:5000/acme/driver:latest", "acme-el9:$KERNEL_FULL_VERSION\"");
    }

    @Test
    void theDevicePluginIsAStateOfTheRecipe() throws IOException {
        Cli cli = convert(MODULE + PLUGIN);

        assertThat(cli.err()).startsWith("note: Module acme-drivers/acme: the device plugin's pods are privileged");
        assertThat(cli.code()).isZero();
        assertThat(cli.out())
                .contains("2000-device-plugin.yaml", "mountPath: \"/var/lib/kubelet/device-plugins\"")
                .contains("path: \"/etc/acme\"", "tolerations:");
        runs(cli.out());
    }

    @Test
    void saysWhatDoesNotMap() throws IOException {
        String more = "    serviceAccountName: loader\n    container:\n      version: v1\n      color: red\n";
        Cli cli = convert(
                MODULE.replace("    container:\n", more) + "  dra: {driverName: acme.example}\n  shape: round\n");

        assertThat(cli.code()).isEqualTo(1);
        assertThat(cli.err().lines())
                .containsExactlyInAnyOrder(
                        "note: Module acme-drivers/acme: spec.moduleLoader.container.version and its labels on nodes"
                                + " are not read; with spec.upgradePolicy.autoUpgrade: true SRO goes from node to"
                                + " node by itself",
                        "note: Module acme-drivers/acme: spec.moduleLoader.serviceAccountName is not needed: SRO makes"
                                + " the account of its pods",
                        "not converted: Module acme-drivers/acme: spec.moduleLoader.container.color: SRO does not know"
                                + " this field; see what it is for, and set it by hand",
                        "not converted: Module acme-drivers/acme: spec.dra: write its DaemonSet and DeviceClasses as a"
                                + " further file of the recipe",
                        "not converted: Module acme-drivers/acme: spec.shape: SRO does not know this field; see what it"
                                + " is for, and set it by hand");
        runs(cli.out());
    }

    @Test
    void refusesWhatIsNoModule() throws IOException {
        assertThat(convert("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n")
                        .err())
                .contains("module.yaml", "has no Module of kmm.sigs.x-k8s.io");
        Cli nothing = convert("apiVersion: kmm.sigs.x-k8s.io/v1beta1\nkind: Module\nmetadata: {name: a}\nspec: {}\n");
        assertThat(nothing.code()).isEqualTo(2);
        assertThat(nothing.err())
                .contains("module.yaml, document 1", "neither spec.moduleLoader nor spec.devicePlugin");
    }
}
