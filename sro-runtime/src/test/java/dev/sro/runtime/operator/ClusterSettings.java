package dev.sro.runtime.operator;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.sro.core.build.BuildSettings;
import dev.sro.core.model.ImageMirrors;
import dev.sro.core.model.RecipeAccount;
import dev.sro.core.outgoing.OutgoingRules;
import dev.sro.runtime.Cli;
import dev.sro.testkit.controlplane.RealCluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** How tests install and start operators on a real API server: as an installation does, without ports that are taken. */
final class ClusterSettings {
    private ClusterSettings() {}

    static OperatorSettings of(
            Path kubeconfig,
            Path plugins,
            Optional<OperatorSettings.Election> election,
            Optional<WebhookSettings> webhook) {
        return of(kubeconfig, plugins, TrustSettings.DEFAULTS.registriesConf(), election, webhook);
    }

    /** With the mirrors of registries in a file. */
    static OperatorSettings of(
            Path kubeconfig,
            Path plugins,
            Path registriesConf,
            Optional<OperatorSettings.Election> election,
            Optional<WebhookSettings> webhook) {
        return new OperatorSettings(
                new OperatorSettings.Connection(Optional.of(kubeconfig), Optional.empty()),
                Optional.of(plugins),
                "",
                2,
                election,
                "127.0.0.1",
                0,
                50,
                100,
                Duration.ofSeconds(5),
                Duration.ofSeconds(20),
                Duration.ofMinutes(15),
                Duration.ofMinutes(5),
                ImageMirrors.NONE,
                BuildSettings.DEFAULTS,
                Optional.empty(),
                RecipeAccount.DEFAULT,
                Optional.empty(),
                // Registries of tests are on this machine.
                new TrustSettings(
                        OutgoingRules.parse("outgoing", "*, localhost"),
                        PluginSources.DEFAULTS,
                        registriesConf,
                        Optional.empty()),
                webhook,
                Logs.Form.TEXT,
                Level.WARN,
                Optional.empty());
    }

    /**
     * Applies the definitions, and what the chart and the base have of rights; returns the rights.
     *
     * @param options more of {@code sro rbac}
     */
    static List<HasMetadata> install(RealCluster cluster, Path plugins, String... options) {
        cluster.installSpecialResources();
        List<String> arguments = new ArrayList<>(List.of(
                "rbac",
                "-o",
                "yaml",
                "--partitioning",
                "--namespace",
                cluster.namespace(),
                "--plugins",
                plugins.toString()));
        arguments.addAll(List.of(options));
        Cli cli = Cli.run(arguments.toArray(String[]::new));
        assertThat(cli.code()).isZero();
        String account = """
            ---
            apiVersion: v1
            kind: ServiceAccount
            metadata: {name: special-resource-operator, namespace: %s}
            """.formatted(cluster.namespace());
        List<HasMetadata> objects = cluster.client()
                .load(new ByteArrayInputStream((cli.out() + account).getBytes(StandardCharsets.UTF_8)))
                .items();
        objects.forEach(object -> cluster.client().resource(object).serverSideApply());
        return objects;
    }

    static Logs logs() {
        return Logs.configure(Logs.Form.TEXT, Level.WARN);
    }
}
