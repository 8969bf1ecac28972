package dev.sro.runtime.operator;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.util.ContextInitializer;
import ch.qos.logback.core.joran.spi.JoranException;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.build.BuildSettings;
import dev.sro.core.embed.OperatorLease;
import dev.sro.core.model.ImageMirrors;
import dev.sro.core.model.RecipeAccount;
import dev.sro.runtime.Cli;
import dev.sro.runtime.CrdCommand;
import dev.sro.testkit.EmbeddedCluster;
import dev.sro.testkit.http.HttpFront;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import dev.sro.testkit.sim.SimControllers;
import dev.sro.testkit.sim.SimRegistry;
import dev.sro.testkit.sim.SimTimings;
import dev.sro.testkit.sim.Simulation;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.slf4j.LoggerFactory;

/** A cluster over HTTP in real time, with two nodes, and replicas of the operator on it as their processes would be. */
final class HttpCluster implements AutoCloseable {
    static final String NAMESPACE = "special-resource-operator";

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Short, and yet in the order that is asked for. */
    private static OperatorLease lease(String identity) {
        return new OperatorLease("sro", identity, Duration.ofSeconds(3), Duration.ofSeconds(2), Duration.ofMillis(200));
    }

    final EmbeddedCluster cluster;
    final KubernetesClient admin;
    private final Path folder;
    private final Path kubeconfig;
    private final List<OperatorRun> runs = new ArrayList<>();
    private final Logs logs = Logs.configure(Logs.Form.TEXT, Level.OFF);

    HttpCluster(Path folder) throws IOException {
        this.folder = folder;
        Simulation[] installed = new Simulation[1];
        SimTimings quick = SimTimings.DEFAULTS.withNfdLag(Duration.ofMillis(50)).withBuild(Duration.ofMillis(300));
        this.cluster = EmbeddedCluster.builder()
                .realTime()
                .controller((api, clock) -> {
                    installed[0] = SimControllers.install(api, clock, new SimRegistry(), quick, 1);
                    return installed[0];
                })
                .build();
        this.admin = cluster.client();
        HttpFront front = cluster.serveHttp(0);
        this.kubeconfig = Files.writeString(folder.resolve("kubeconfig"), front.kubeconfig());
        Cli.plugins(Files.createDirectories(folder.resolve("plugins")));
        admin.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(NAMESPACE)
                        .endMetadata()
                        .build())
                .create();
        NodeProfile profile = NodeProfile.of(OsRelease.RHEL_9).withLabel("example.com/device", "true");
        installed[0].nodes().create("a", profile);
        installed[0].nodes().create("b", profile);
    }

    void installDefinition() {
        try (InputStream yaml = SpecialResource.class.getResourceAsStream(CrdCommand.RESOURCE)) {
            admin.resource(admin.getKubernetesSerialization().unmarshal(yaml, CustomResourceDefinition.class))
                    .create();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void applySpecialResource() {
        admin.resource(admin.getKubernetesSerialization().unmarshal("""
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: simple-kmod}
            spec:
              namespace: simple-kmod
              plugin: {name: simple-kmod}
              nodeSelector: {example.com/device: "true"}
              driverContainer: {source: {git: {uri: "https://git.example.com/simple-kmod.git", ref: main}}}
            """, SpecialResource.class))
                .serverSideApply();
    }

    /** As its admin. */
    KubernetesClient client() {
        return admin;
    }

    boolean isReady() {
        SpecialResource found =
                admin.resources(SpecialResource.class).withName("simple-kmod").get();
        return found != null
                && found.getStatus() != null
                && found.getStatus().getConditions().stream()
                        .anyMatch(c ->
                                c.getType().equals("Ready") && c.getStatus().equals("True"));
    }

    void awaitReady() throws Exception {
        try {
            await("Ready", this::isReady);
        } catch (AssertionError e) {
            SpecialResource found = admin.resources(SpecialResource.class)
                    .withName("simple-kmod")
                    .get();
            throw new AssertionError(e.getMessage() + ": " + (found == null ? null : found.getStatus()), e);
        }
    }

    /** A replica. It is closed with the cluster, if not before. */
    OperatorRun start(String identity) throws IOException {
        return start(identity, Optional.empty());
    }

    /** The same with admission webhooks. */
    OperatorRun start(String identity, Optional<WebhookSettings> webhook) throws IOException {
        OperatorRun run = OperatorRun.start(settings(identity, webhook), logs);
        runs.add(run);
        return run;
    }

    private OperatorSettings settings(String identity, Optional<WebhookSettings> webhook) {
        return new OperatorSettings(
                new OperatorSettings.Connection(Optional.of(kubeconfig), Optional.empty()),
                Optional.of(folder.resolve("plugins")),
                "",
                2,
                Optional.of(new OperatorSettings.Election(Optional.of(NAMESPACE), lease(identity))),
                "127.0.0.1",
                0,
                1_000,
                1_000,
                Duration.ofSeconds(5),
                Duration.ofSeconds(10),
                Duration.ofMinutes(15),
                Duration.ofMinutes(5),
                ImageMirrors.NONE,
                BuildSettings.DEFAULTS,
                Optional.empty(),
                RecipeAccount.DEFAULT,
                Optional.empty(),
                TrustSettings.DEFAULTS,
                webhook,
                Logs.Form.TEXT,
                Level.ERROR,
                Optional.empty());
    }

    static void await(String what, Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.call()) {
            if (System.nanoTime() > end) {
                throw new AssertionError(what + " did not come within " + PATIENCE);
            }
            Thread.sleep(20);
        }
    }

    /** The operator takes over the log of its process; other tests of this one want theirs back. */
    static void giveLogBack() {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        context.reset();
        try {
            new ContextInitializer(context).autoConfig(HttpCluster.class.getClassLoader());
        } catch (JoranException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        runs.forEach(OperatorRun::close);
        cluster.close();
        giveLogBack();
    }
}
