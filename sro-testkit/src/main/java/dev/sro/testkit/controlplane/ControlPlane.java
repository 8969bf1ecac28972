package dev.sro.testkit.controlplane;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A Kubernetes control plane of processes on the loopback interface, with keys, ports and data of its own. It starts empty, and
 * nothing of it is left after {@link #close}. When the JVM is killed, its processes live on until the next control plane of the same
 * user starts; that one ends them first. Linux only.
 *
 * <pre>{@code
 * try (ControlPlane cluster = ControlPlane.start(Binaries.in(directory))) {
 *     cluster.client().nodes().list();
 * }
 * }</pre>
 *
 * <p>Thread-safe.
 */
public final class ControlPlane implements AutoCloseable {
    private static final int TRIES = 3;
    private static final Duration GRACE = Duration.ofSeconds(5);

    /** Describes a control plane. Not thread-safe. */
    public static final class Builder {
        private final Binaries binaries;
        private final Map<Component, List<String>> arguments = new EnumMap<>(Component.class);
        private final List<String> users = new ArrayList<>();
        private Path root = RunDirectory.defaultRoot();
        private Duration patience = Duration.ofMinutes(2);

        private Builder(Binaries binaries) {
            this.binaries = binaries;
        }

        /** Adds an argument to a component's command line, for example {@code --audit-log-path=…}. */
        public Builder argument(Component component, String argument) {
            arguments.computeIfAbsent(component, c -> new ArrayList<>()).add(argument);
            return this;
        }

        /**
         * Has the API server know somebody by a token, beside the administrator and its own components.
         *
         * @param token without commas and quotes
         */
        public Builder user(String name, String token, String... groups) {
            users.add("%s,%s,%s,\"%s\"".formatted(token, name, name, String.join(",", groups)));
            return this;
        }

        /** The directory for the directories of runs. Default: one per user in the directory for temporary files. */
        public Builder root(Path directory) {
            root = directory;
            return this;
        }

        /** How long a component may take until it is healthy. Default: two minutes. */
        public Builder patience(Duration limit) {
            patience = limit;
            return this;
        }

        /**
         * Starts it, and waits until every component is healthy.
         *
         * @throws ControlPlaneException if one is not
         */
        public ControlPlane start() {
            for (int attempt = 1; ; attempt++) {
                ControlPlane made = new ControlPlane(this);
                try {
                    made.startAll();
                    return made;
                } catch (ControlPlaneException e) {
                    made.close();
                    // Somebody took a port between its choice and its use.
                    if (attempt == TRIES || !String.valueOf(e.getMessage()).contains("address already in use")) {
                        throw e;
                    }
                } catch (RuntimeException e) {
                    made.close();
                    throw e;
                }
            }
        }
    }

    private final Binaries binaries;
    private final Ports ports = Ports.free();
    private final RunDirectory directory;
    private final Credentials credentials;
    private final Health health;
    private final Map<Component, ServerProcess> processes = new EnumMap<>(Component.class);
    private final List<KubernetesClient> clients = new ArrayList<>();
    private final Thread atExit = new Thread(this::stopAll, "control-plane-exit");
    private @Nullable HttpClient http;
    private @Nullable KubernetesClient client;
    private boolean closed;

    private ControlPlane(Builder builder) {
        binaries = builder.binaries;
        health = new Health(builder.patience);
        directory = RunDirectory.create(builder.root);
        credentials = Credentials.create(directory, ports.apiServer(), builder.users);
        Commands commands = new Commands(binaries, directory, credentials, ports);
        copyStages(commands.stages());
        for (Component component : Component.values()) {
            if (binaries.has(component)) {
                List<String> further = builder.arguments.getOrDefault(component, List.of());
                processes.put(
                        component, new ServerProcess(component, commands.of(component, further), directory.path()));
            }
        }
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    /** Begins to describe one. */
    public static Builder builder(Binaries binaries) {
        return new Builder(binaries);
    }

    /** Starts one as it is by default. */
    public static ControlPlane start(Binaries binaries) {
        return builder(binaries).start();
    }

    private static void copyStages(Path file) {
        try (InputStream in = ControlPlane.class.getResourceAsStream("stages.yaml")) {
            Files.copy(Objects.requireNonNull(in, "stages.yaml"), file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private synchronized void startAll() {
        start(Component.ETCD);
        start(Component.API_SERVER);
        // These take their time, and do not wait for each other.
        for (Component component : List.of(Component.CONTROLLER_MANAGER, Component.SCHEDULER, Component.KWOK)) {
            ServerProcess process = processes.get(component);
            if (process != null) {
                process.start();
            }
        }
        for (Component component : List.of(Component.CONTROLLER_MANAGER, Component.SCHEDULER, Component.KWOK)) {
            start(component);
        }
        ServerProcess controllers = processes.get(Component.CONTROLLER_MANAGER);
        if (controllers != null) {
            health.await(controllers, () -> hasServiceAccount() ? "" : "there is no service account yet");
        }
    }

    /** Without one, no pod can be made in the namespace. */
    private boolean hasServiceAccount() {
        return client().serviceAccounts()
                        .inNamespace("default")
                        .withName("default")
                        .get()
                != null;
    }

    /** Its programs, for another one like it. */
    public Binaries binaries() {
        return binaries;
    }

    /** What it offers. */
    public Set<Feature> features() {
        return binaries.features();
    }

    /** Starts a component that was stopped, if there is one, and waits until it is healthy. */
    public synchronized void start(Component component) {
        ServerProcess process = processes.get(component);
        if (process == null) {
            return;
        }
        process.start();
        switch (component) {
            case ETCD ->
                health.await(
                        process,
                        HttpClient.newHttpClient(),
                        URI.create("http://127.0.0.1:" + ports.etcd() + "/health"));
            case API_SERVER -> {
                health.awaitCertificate(process, credentials.certificateKey());
                health.await(process, http(), https(ports.apiServer(), "/readyz"));
            }
            case CONTROLLER_MANAGER -> health.await(process, http(), https(ports.controllerManager(), "/healthz"));
            case SCHEDULER -> health.await(process, http(), https(ports.scheduler(), "/readyz"));
            case KWOK -> health.await(process, http(), URI.create("http://127.0.0.1:" + ports.kwok() + "/healthz"));
        }
    }

    private static URI https(int port, String path) {
        return URI.create("https://127.0.0.1:" + port + path);
    }

    private HttpClient http() {
        HttpClient known = http;
        if (known == null) {
            known = Health.client(credentials.certificate());
            http = known;
        }
        return known;
    }

    /** Stops a component; its data stay. */
    public synchronized void stop(Component component) {
        ServerProcess process = processes.get(component);
        if (process != null) {
            process.stop(GRACE);
        }
    }

    /** Stops the API server, which ends all connections, and starts it at the same address. */
    public synchronized void restartApiServer() {
        stop(Component.API_SERVER);
        start(Component.API_SERVER);
    }

    /** The administrator's client; the same one at each call. Closed with the control plane. */
    public synchronized KubernetesClient client() {
        KubernetesClient known = client;
        if (known == null) {
            known = newClient("sro-test");
            client = known;
        }
        return known;
    }

    /** A new client of the administrator with its own user agent. Closed with the control plane. */
    public synchronized KubernetesClient newClient(String userAgent) {
        KubernetesClient made = new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder(config()).withUserAgent(userAgent).build())
                .build();
        clients.add(made);
        return made;
    }

    /** What a client of the administrator needs. */
    public Config config() {
        return new ConfigBuilder(Config.empty())
                .withMasterUrl("https://127.0.0.1:" + ports.apiServer())
                .withCaCertFile(credentials.certificate().toString())
                .withOauthToken(credentials.adminToken())
                .withNamespace("default")
                .build();
    }

    /** A kubeconfig of the administrator, for kubectl and other programs. */
    public Path kubeconfig() {
        return credentials.adminKubeconfig();
    }

    /** What a component wrote. The file goes with the control plane. */
    public Path log(Component component) {
        ServerProcess process = processes.get(component);
        if (process == null) {
            throw new IllegalArgumentException("there is no " + component.program());
        }
        return process.log();
    }

    /** The directory that holds everything, and goes with it. */
    public Path directory() {
        return directory.path();
    }

    private void stopAll() {
        // Clients first, the store last: nobody complains that somebody is gone. Nothing is worth a grace.
        for (Component component : List.of(
                Component.KWOK,
                Component.SCHEDULER,
                Component.CONTROLLER_MANAGER,
                Component.API_SERVER,
                Component.ETCD)) {
            ServerProcess process = processes.get(component);
            if (process != null) {
                process.stop(Duration.ZERO);
            }
        }
        directory.delete();
    }

    /** Ends all processes and removes all files. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        clients.forEach(KubernetesClient::close);
        stopAll();
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException exiting) {
            // It runs already.
        }
    }
}
