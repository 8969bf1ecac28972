import dev.sro.api.resource.SpecialResource;
import dev.sro.testkit.EmbeddedCluster;
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
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Starts an operator on an API server in this JVM, has it bring a special resource to Ready, and stops it; each further time it finds all
 * done. Says after how many milliseconds it had reconciled for the first time, and how much of it was resident then. For
 * {@code build.sh}, with the class path of the command line.
 *
 * <p>Arguments: a folder for the kubeconfig, how often, and the command up to the name of the main class.
 */
final class FirstReconcile {
    private static final String CRD = "/META-INF/sro/crds/specialresources.sro.openshift.io.yaml";
    private static final Pattern RECONCILED = Pattern.compile("(?m)^sro_reconcile_seconds_count\\{.*} [1-9]");
    private static final Pattern RESIDENT = Pattern.compile("(?m)^VmRSS:\\s+(\\d+) kB");
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final long POLL_MILLIS = 10;
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private FirstReconcile() {}

    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[0]);
        Simulation[] installed = new Simulation[1];
        SimTimings quick = SimTimings.DEFAULTS.withNfdLag(Duration.ofMillis(50)).withBuild(Duration.ofMillis(300));
        try (EmbeddedCluster cluster = EmbeddedCluster.builder()
                .realTime()
                .controller((api, clock) -> {
                    installed[0] = SimControllers.install(api, clock, new SimRegistry(), quick, 1);
                    return installed[0];
                })
                .build()) {
            Files.writeString(folder.resolve("kubeconfig"), cluster.serveHttp(0).kubeconfig());
            NodeProfile profile = NodeProfile.of(OsRelease.UBUNTU_22).withLabel("example.com/device", "true");
            for (String name : List.of("a", "b", "c")) {
                installed[0].nodes().create(name, profile);
            }
            fill(cluster.client());
            for (int i = 0; i < Integer.parseInt(args[1]); i++) {
                run(cluster.client(), folder, Arrays.asList(args).subList(2, args.length));
            }
        }
        // Threads of clients may be left.
        System.exit(0);
    }

    private static void fill(KubernetesClient client) throws IOException {
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName("special-resource-operator")
                        .endMetadata()
                        .build())
                .create();
        try (InputStream yaml = SpecialResource.class.getResourceAsStream(CRD)) {
            client.resource(client.getKubernetesSerialization().unmarshal(yaml, CustomResourceDefinition.class))
                    .create();
        }
        client.resource(client.getKubernetesSerialization().unmarshal("""
                        apiVersion: sro.openshift.io/v1beta1
                        kind: SpecialResource
                        metadata: {name: simple-kmod}
                        spec:
                          namespace: simple-kmod
                          plugin: {name: simple-kmod}
                          nodeSelector: {example.com/device: "true"}
                          driverContainer: {source: {git: {ref: main, uri: "https://git.example.com/kmod.git"}}}
                        """, SpecialResource.class))
                .create();
    }

    private static void run(KubernetesClient client, Path folder, List<String> start) throws Exception {
        // As on a first installation: one that was given back is taken after a second or more.
        client.leases().inAnyNamespace().list().getItems().forEach(lease -> client.resource(lease)
                .delete());
        int port = freePort();
        List<String> command = new ArrayList<>(start);
        command.addAll(List.of("operator", "--kubeconfig", folder.resolve("kubeconfig").toString()));
        command.addAll(List.of("--bind-address", "127.0.0.1:" + port));
        Path log = folder.resolve("operator.log");
        long begun = System.nanoTime();
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            URI metrics = URI.create("http://127.0.0.1:" + port + "/metrics");
            await("the first reconcile", process, log, () -> RECONCILED.matcher(read(metrics)).find());
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
            await("Ready", process, log, () -> isReady(client));
            Matcher resident = RESIDENT.matcher(Files.readString(Path.of("/proc/" + process.pid() + "/status")));
            resident.find();
            System.out.printf(
                    "first reconcile after %d ms, %s of processors, %d MiB resident%n",
                    millis,
                    process.info().totalCpuDuration().orElse(Duration.ZERO),
                    Long.parseLong(resident.group(1)) / 1024);
        } finally {
            process.destroy();
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException("it does not end: " + Files.readString(log));
            }
        }
        if (process.exitValue() != 0) {
            throw new IllegalStateException("exit code " + process.exitValue() + ": " + Files.readString(log));
        }
    }

    private static boolean isReady(KubernetesClient client) {
        SpecialResource found =
                client.resources(SpecialResource.class).withName("simple-kmod").get();
        return found.getStatus() != null
                && found.getStatus().getConditions().stream()
                        .anyMatch(c ->
                                c.getType().equals("Ready") && c.getStatus().equals("True"));
    }

    private static void await(String what, Process process, Path log, Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.call()) {
            if (!process.isAlive() || System.nanoTime() > end) {
                throw new IllegalStateException(what + " did not come: " + Files.readString(log));
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static String read(URI uri) throws InterruptedException {
        try {
            return HTTP.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (IOException notYet) {
            return "";
        }
    }
}
