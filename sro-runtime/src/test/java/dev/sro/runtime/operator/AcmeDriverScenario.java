package dev.sro.runtime.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.resource.PreflightValidation;
import dev.sro.api.resource.SpecialResource;
import dev.sro.runtime.Cli;
import dev.sro.runtime.ServiceAccountConfig;
import dev.sro.testkit.controlplane.RealCluster;
import dev.sro.testkit.node.Machine;
import dev.sro.testkit.node.NodeCluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A driver that only the special resource describes, on real nodes: two modules of which one needs the other, firmware, a parameter, a module
 * of the kernel in whose place it comes; built in the cluster, signed, and loaded. Not thread-safe.
 */
final class AcmeDriverScenario {
    /** Of the special resource, and of its namespace. */
    static final String NAME = "acme";

    /** That it loads, by the names that the kernel has for them. */
    static final List<String> MODULES = List.of("acme", "acme_core");

    /** Of the kernel's own, that it removes. */
    static final String IN_TREE = "dummy";

    /** Whose key signs. */
    static final String SIGNER = "Acme drivers";

    private static final String OURS = "example.com/accelerator";
    private static final List<String> SOURCES = List.of("Makefile", "acme-core.c", "acme.c");

    private final NodeCluster nodes;
    private final RealCluster cluster;
    private final Path folder;
    private final String sources;

    AcmeDriverScenario(NodeCluster nodes, RealCluster cluster, Path folder) throws IOException {
        this.nodes = nodes;
        this.cluster = cluster;
        this.folder = folder;
        this.sources = nodes.git().publish(NAME, NodeScenario.sources("acme-driver", SOURCES));
        nodes.label(OURS, NAME);
    }

    /** Of an operator without plugins, with the rights that {@code sro rbac} gives it for this driver. */
    OperatorSettings install() throws IOException, InterruptedException {
        Path plugins = Files.createDirectories(folder.resolve("plugins"));
        ClusterSettings.install(cluster, plugins, "--builds");
        cluster.client()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(NAME)
                        .endMetadata()
                        .build())
                .create();
        keys();
        // The registry has one name for pods and another one for this process, which is on the host.
        Path mirrors = Files.writeString(
                folder.resolve("registries.conf"), """
                [[registry]]
                prefix = "%s"
                location = "%s"
                insecure = true
                """.formatted(nodes.podRegistry(), nodes.registry()));
        return ClusterSettings.of(
                ServiceAccountConfig.write(cluster, cluster.namespace(), folder.resolve("kubeconfig")),
                plugins,
                mirrors,
                Optional.empty(),
                Optional.empty());
    }

    /** As whoever changes the special resource does: other loaders need other rights. */
    private void grant(String documents) throws IOException {
        Path file = Files.writeString(folder.resolve("acme.yaml"), documents);
        Cli cli = Cli.run(
                "rbac",
                "--for",
                file.toString(),
                "--kernel",
                nodes.kernels().get(0),
                "--os-image",
                "Debian GNU/Linux 13 (trixie)",
                "--namespace",
                cluster.namespace());
        assertThat(cli.code()).as(cli.err()).isZero();
        List<HasMetadata> objects = cluster.client().load(stream(cli.out())).items();
        objects.forEach(object -> cluster.client().resource(object).serverSideApply());
    }

    /** A key that no kernel knows, as Secrets. */
    private void keys() throws IOException, InterruptedException {
        Path key = folder.resolve("key.pem");
        Path certificate = folder.resolve("certificate.der");
        Process made = new ProcessBuilder(
                        "openssl",
                        "req",
                        "-x509",
                        "-newkey",
                        "rsa:2048",
                        "-nodes",
                        "-days",
                        "2",
                        "-subj",
                        "/CN=" + SIGNER,
                        "-outform",
                        "DER",
                        "-keyout",
                        key.toString(),
                        "-out",
                        certificate.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(made.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(made.waitFor()).as(said).isZero();
        secret("signing-key", "key", Files.readAllBytes(key));
        secret("signing-cert", "cert", Files.readAllBytes(certificate));
    }

    private void secret(String name, String key, byte[] content) {
        cluster.client()
                .resource(new SecretBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withNamespace(NAME)
                        .endMetadata()
                        .withData(Map.of(key, Base64.getEncoder().encodeToString(content)))
                        .build())
                .create();
    }

    /**
     * Applies the special resource.
     *
     * @param loader as in {@code spec.driver.loader}
     * @param queues the module's parameter
     */
    void apply(String loader, int queues) throws IOException {
        String documents = yaml(loader, queues);
        grant(documents);
        cluster.client()
                .load(stream(documents))
                .items()
                .forEach(object -> cluster.client().resource(object).serverSideApply());
    }

    private static InputStream stream(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    private String yaml(String loader, int queues) {
        return """
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: %1$s, annotations: {sro.dev/image-mirrors: "docker.io/moby=%2$s/moby"}}
            spec:
              namespace: %1$s
              nodeSelector: {%3$s: %1$s}
              upgradePolicy:
                autoUpgrade: true
                drain: {enable: true, force: true, deleteEmptyDir: true}
              driver:
                containerImage: "%2$s/acme/driver:${KERNEL_FULL_VERSION}"
                registryTLS: {insecure: true}
                loader: %4$s
                inTreeModulesToRemove: [%6$s]
                modprobe: {moduleName: acme, parameters: ["queues=%5$d"], firmwarePath: /opt/firmware}
                build:
                  baseImage: "%2$s/library/debian:13"
                  baseImageRegistryTLS: {insecure: true}
                  buildArgs:
                  - {name: RUNTIME_IMAGE, value: "%2$s/library/alpine:3.22"}
                  git: {uri: "%7$s", ref: main}
                  dockerfile: |
                    ARG BASE_IMAGE
                    ARG RUNTIME_IMAGE
                    FROM ${BASE_IMAGE} AS build
                    ARG KERNEL_FULL_VERSION
                    WORKDIR /src
                    COPY . .
                    RUN make KVER="$KERNEL_FULL_VERSION" all install
                    FROM ${RUNTIME_IMAGE}
                    COPY --from=build /opt /opt
                sign:
                  keySecret: {name: signing-key}
                  certSecret: {name: signing-cert}
                  filesToSign: ["/opt/lib/modules/${KERNEL_FULL_VERSION}/extra/*.ko"]
                  signImage: "%2$s/library/debian:13"
                  unsignedImageRegistryTLS: {insecure: true}
            ---
            # The driver alone: a recipe without files.
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: %1$s, namespace: %1$s}
            """.formatted(NAME, nodes.podRegistry(), OURS, loader, queues, IN_TREE, sources);
    }

    /** The signed image of a kernel. */
    String image(String kernel) {
        return nodes.podRegistry() + "/acme/driver:" + kernel.replace('+', '_');
    }

    /** Asks for a verdict about a kernel to come, and returns the status with it as JSON, once it has these words. */
    String preflight(String kernel, String words) {
        PreflightValidation asked = cluster.client()
                .getKubernetesSerialization()
                .unmarshal("""
                        apiVersion: sro.openshift.io/v1beta1
                        kind: PreflightValidation
                        metadata: {name: next}
                        spec: {kernelVersion: "%s", specialResources: [%s]}
                        """.formatted(kernel, NAME), PreflightValidation.class);
        cluster.client().resource(asked).create();
        cluster.await(
                "a preflight for " + kernel + " says " + words,
                NodeScenario.REMOVAL,
                () -> verdict().contains(words));
        String verdict = verdict();
        cluster.client().resources(PreflightValidation.class).withName("next").delete();
        return verdict;
    }

    private String verdict() {
        return cluster.client()
                .getKubernetesSerialization()
                .asJson(cluster.client()
                        .resources(PreflightValidation.class)
                        .withName("next")
                        .get());
    }

    /** Waits until it is ready, and says so. */
    void awaitReady(String what) {
        cluster.await("it is ready: " + what, NodeScenario.BUILD, () -> NodeScenario.isReady(cluster, NAME));
        NodeScenario.say("ready: " + what);
    }

    /** Waits until the modules are loaded. */
    void awaitModules(Machine node) {
        cluster.await(
                "the modules are loaded",
                NodeScenario.BUILD,
                () -> node.modules().containsAll(MODULES));
    }

    /** Waits until the status has all of these words. */
    void awaitWords(String... words) {
        cluster.await(
                "the status says " + List.of(words),
                NodeScenario.BUILD,
                () -> List.of(words).stream().allMatch(status()::contains));
    }

    /** The status as JSON. */
    String status() {
        return cluster.client()
                .getKubernetesSerialization()
                .asJson(cluster.client()
                        .resources(SpecialResource.class)
                        .withName(NAME)
                        .get()
                        .getStatus());
    }

    /** Deletes the special resource, and does not wait. */
    void delete() {
        NodeScenario.delete(cluster, NAME);
    }

    /** Waits until it is gone. */
    void awaitGone() {
        NodeScenario.awaitGone(cluster, NAME);
    }
}
