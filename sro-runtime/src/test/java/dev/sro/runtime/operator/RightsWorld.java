package dev.sro.runtime.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.resource.SpecialResource;
import dev.sro.runtime.Cli;
import dev.sro.runtime.plan.ChartMap;
import dev.sro.testkit.controlplane.RealCluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** What an administrator has installed and written before the operator comes. Stateless. */
final class RightsWorld {
    /** Of the operator. */
    static final String NAMESPACE = "special-resource-operator";

    /** Of recipes and charts. */
    static final String RECIPES = "recipes";

    private RightsWorld() {}

    /** A file of this world. */
    static String text(String file) throws IOException {
        try (InputStream in = Objects.requireNonNull(RightsWorld.class.getResourceAsStream("rights/" + file), file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Definitions, plugins and the rights that are printed for them, which are returned. */
    static List<HasMetadata> install(RealCluster cluster, Path folder) throws IOException {
        KubernetesClient client = cluster.client();
        cluster.installSpecialResources();
        for (String kind : List.of("preflightvalidations", "specialresourcemodules")) {
            apply(client, crd(kind));
        }
        for (String line : text("definitions.txt").split("\n")) {
            if (!line.startsWith("#")) {
                apply(client, definition(line.split(" ")));
            }
        }
        apply(client, """
            {apiVersion: v1, kind: Namespace, metadata: {name: %1$s}}
            ---
            {apiVersion: v1, kind: Namespace, metadata: {name: %2$s}}
            ---
            {apiVersion: v1, kind: ServiceAccount, metadata: {name: special-resource-operator, namespace: %1$s}}
            """.formatted(NAMESPACE, RECIPES));
        Path plugins = Cli.plugins(Files.createDirectories(folder.resolve("plugins")));
        Cli.plugin(plugins, "sro-plugins-nvidia", "nvidia-gpu");
        Cli.plugin(plugins, "sro-plugins-solarflare", "solarflare-onload");
        Cli cli = Cli.run("rbac", "-o", "yaml", "--partitioning", "--builds", "--plugins", plugins.toString());
        assertThat(cli.err()).isEmpty();
        return apply(client, cli.out());
    }

    private static String crd(String plural) throws IOException {
        try (InputStream in = Objects.requireNonNull(
                SpecialResource.class.getResourceAsStream("/META-INF/sro/crds/" + plural + ".sro.openshift.io.yaml"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** A kind that takes anything. */
    private static String definition(String[] words) {
        String group = words[0].substring(0, words[0].indexOf('/'));
        return """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: %2$s.%1$s, annotations: {api-approved.kubernetes.io: unapproved}}
            spec:
              group: %1$s
              scope: %4$s
              names: {plural: %2$s, kind: %3$s}
              versions:
              - name: %5$s
                served: true
                storage: true
                subresources: {status: {}}
                schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
            """.formatted(group, words[1], words[2], words[3], words[0].substring(group.length() + 1));
    }

    /** Applies them; returns what was applied. */
    static List<HasMetadata> apply(KubernetesClient client, String documents) {
        List<HasMetadata> objects = new ArrayList<>(
                client.load(new ByteArrayInputStream(("---\n" + documents).getBytes(StandardCharsets.UTF_8)))
                        .items());
        objects.forEach(object -> client.resource(object).serverSideApply());
        return objects;
    }

    /** A ConfigMap with a chart of one object. */
    static String chart(String name, Path folder) throws IOException {
        Path chart = folder.resolve(name);
        Path templates = Files.createDirectories(chart.resolve("templates"));
        Files.writeString(chart.resolve("Chart.yaml"), "{apiVersion: v2, name: " + name + ", version: 0.1.0}\n");
        Files.writeString(
                templates.resolve("map.yaml"),
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: " + name + "-map}}\n");
        return ChartMap.of(chart, RECIPES, name);
    }

    /** What builds of {@code acme.yaml} take in. */
    static void secrets(KubernetesClient client) {
        apply(client, """
            {apiVersion: v1, kind: Namespace, metadata: {name: acme}}
            ---
            {apiVersion: v1, kind: Secret, metadata: {name: license, namespace: acme}, stringData: {a: b}}
            ---
            {apiVersion: v1, kind: Namespace, metadata: {name: ship}}
            ---
            {apiVersion: v1, kind: Secret, metadata: {name: license, namespace: ship}, stringData: {a: b}}
            ---
            {apiVersion: v1, kind: Secret, metadata: {name: key, namespace: acme}, stringData: {key: b}}
            ---
            {apiVersion: v1, kind: Secret, metadata: {name: cert, namespace: acme}, stringData: {cert: b}}
            ---
            apiVersion: v1
            kind: Secret
            metadata: {name: login, namespace: acme}
            type: kubernetes.io/dockerconfigjson
            stringData: {.dockerconfigjson: '{"auths": {}}'}
            """);
    }

    /** What {@code sro rbac --for} says. */
    static void grant(KubernetesClient client, String documents, Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("acme.yaml"), documents);
        Cli cli = Cli.run(
                "rbac",
                "--for",
                file.toString(),
                "--plugins",
                folder.resolve("plugins").toString(),
                "--kernel",
                "5.15.0-91-generic",
                "--os-image",
                "Ubuntu 22.04.3 LTS");
        assertThat(cli.err().lines()).allMatch(line -> line.contains("nothing is applied by the rights of an account"));
        assertThat(cli.code()).isZero();
        apply(client, cli.out());
    }

    /** Whether the API server already lets somebody watch all objects of a kind: it hears of bindings a moment after they are made. */
    static boolean may(KubernetesClient client, String user, String group, String resource) {
        return client.authorization()
                .v1()
                .subjectAccessReview()
                .create(new SubjectAccessReviewBuilder()
                        .withNewSpec()
                        .withUser(user)
                        .withNewResourceAttributes()
                        .withGroup(group)
                        .withResource(resource)
                        .withVerb("watch")
                        .endResourceAttributes()
                        .endSpec()
                        .build())
                .getStatus()
                .getAllowed();
    }
}
