package dev.sro.benchmarks;

import dev.sro.api.resource.SpecialResource;
import dev.sro.testkit.controlplane.Binaries;
import dev.sro.testkit.controlplane.Component;
import dev.sro.testkit.controlplane.ControlPlane;
import io.fabric8.kubernetes.api.model.NodeBuilder;
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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * From the start of the operator's process to the end of its first reconcile, and its resident memory when it is idle, on a real API
 * server that has nothing else to do. Linux only. Not a JMH benchmark: each run is a process.
 *
 * <p>Arguments: the directory with the control plane, the launcher's folder ({@code sro-runtime/target/app}), the number of nodes, how
 * often; then variants, each a name and options of Java in one argument, as in {@code "C1: -XX:TieredStopAtLevel=1"}. In options,
 * {@code java=PATH} is the Java to take.
 */
public final class StartUp {

    private static final String CRD = "/META-INF/sro/crds/specialresources.sro.openshift.io.yaml";
    private static final int LABELS = 100;
    /** Milliseconds. */
    private static final long POLL = 20;
    /** Milliseconds. */
    private static final long IDLE = 10_000;

    private static final Pattern RECONCILED = Pattern.compile("(?m)^sro_reconcile_seconds_count\\{.*} [1-9]");
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private StartUp() {}

    /** Measures, and prints one line for each variant. */
    public static void main(String[] args) throws IOException, InterruptedException {
        Path app = Path.of(args[1]).toAbsolutePath();
        int nodes = Integer.parseInt(args[2]);
        int times = Integer.parseInt(args[3]);
        try (ControlPlane cluster = ControlPlane.start(Binaries.in(Path.of(args[0])))) {
            // Who would call nodes without a kubelet dead, and load the machine beside.
            List.of(Component.CONTROLLER_MANAGER, Component.SCHEDULER, Component.KWOK)
                    .forEach(cluster::stop);
            fill(cluster.client(), nodes);
            List<String> variants = Arrays.asList(args).subList(4, args.length);
            List<List<Run>> runs = IntStream.range(0, variants.size())
                    .<List<Run>>mapToObj(i -> new ArrayList<>())
                    .toList();
            // The first makes the operands; the others find them. Variants take turns, so that a busy minute hits them
            // all.
            run(cluster, app, options(variants.get(0)));
            for (int i = 0; i < times; i++) {
                for (int variant = 0; variant < variants.size(); variant++) {
                    runs.get(variant).add(run(cluster, app, options(variants.get(variant))));
                }
            }
            for (int variant = 0; variant < variants.size(); variant++) {
                print(variants.get(variant), runs.get(variant));
            }
        }
    }

    /** What one run took: milliseconds, milliseconds of processors, and megabytes resident when idle and at most. */
    private record Run(long millis, long cpu, long idle, long peak) {}

    private static List<String> options(String variant) {
        return List.of(variant.substring(variant.indexOf(':') + 1).trim().split(" +"));
    }

    private static void fill(KubernetesClient client, int nodes) throws IOException {
        try (InputStream yaml = Objects.requireNonNull(SpecialResource.class.getResourceAsStream(CRD), CRD)) {
            client.resource(client.getKubernetesSerialization().unmarshal(yaml, CustomResourceDefinition.class))
                    .serverSideApply();
        }
        IntStream.range(0, nodes).parallel().forEach(i -> {
            NodeBuilder node = new NodeBuilder()
                    .withNewMetadata()
                    .withName("node-" + i)
                    .addToLabels("example.com/device", "true")
                    .addToLabels("feature.node.kubernetes.io/system-os_release.ID", "ubuntu")
                    .addToLabels("feature.node.kubernetes.io/system-os_release.VERSION_ID", "22.04")
                    .addToLabels("feature.node.kubernetes.io/kernel-version.full", "5.15.0-91-generic")
                    .endMetadata();
            for (int label = 4; label < LABELS; label++) {
                node.editMetadata()
                        .addToLabels("feature.node.kubernetes.io/cpu-cpuid.FEATURE" + label, "true")
                        .endMetadata();
            }
            client.resource(node.build()).create();
        });
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
                .serverSideApply();
    }

    private static Run run(ControlPlane cluster, Path app, List<String> options)
            throws IOException, InterruptedException {
        // As on a first installation: one that was given back is taken after a second or more.
        cluster.client()
                .leases()
                .inNamespace("default")
                .withName("special-resource-operator")
                .delete();
        int port = freePort();
        List<String> command = new ArrayList<>();
        Optional<String> java =
                options.stream().filter(o -> o.startsWith("java=")).findFirst();
        command.add(java.map(o -> o.substring("java=".length()))
                .orElse(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        options.stream().filter(o -> !o.isEmpty() && !o.startsWith("java=")).forEach(command::add);
        command.addAll(List.of("-Dsro.home=" + app, "-cp", classPath(app), "dev.sro.runtime.Main", "operator"));
        command.addAll(List.of("--kubeconfig", cluster.kubeconfig().toString(), "--bind-address", "127.0.0.1:" + port));
        long start = System.nanoTime();
        Process process = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            URI metrics = URI.create("http://127.0.0.1:" + port + "/metrics");
            while (!RECONCILED.matcher(read(metrics)).find()) {
                if (!process.isAlive()) {
                    throw new IllegalStateException("exit code " + process.exitValue() + ": " + command);
                }
                Thread.sleep(POLL);
            }
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
            long cpu = process.info().totalCpuDuration().orElseThrow().toMillis();
            Thread.sleep(IDLE);
            return new Run(millis, cpu, megabytes(process, "VmRSS"), megabytes(process, "VmHWM"));
        } finally {
            // With SIGTERM, so that the next one need not wait for the lease.
            process.destroy();
            process.waitFor();
        }
    }

    private static String classPath(Path app) throws IOException {
        try (var jars = Files.list(app.resolve("lib"))) {
            return String.join(":", jars.map(Path::toString).sorted().toList());
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

    private static long megabytes(Process process, String key) throws IOException {
        String status = Files.readString(Path.of("/proc", Long.toString(process.pid()), "status"));
        Matcher line = Pattern.compile("(?m)^" + key + ":\\s+(\\d+) kB").matcher(status);
        return line.find() ? Long.parseLong(line.group(1)) / 1024 : -1;
    }

    private static void print(String variant, List<Run> runs) {
        long[] millis = runs.stream().mapToLong(Run::millis).sorted().toArray();
        System.out.printf(
                Locale.ROOT,
                "%s: %d ms (%d to %d), processors %d ms, idle %d MiB, peak %d MiB%n",
                variant,
                millis[millis.length / 2],
                millis[0],
                millis[millis.length - 1],
                runs.stream().mapToLong(Run::cpu).sorted().toArray()[runs.size() / 2],
                runs.stream().mapToLong(Run::idle).max().orElse(-1),
                runs.stream().mapToLong(Run::peak).max().orElse(-1));
    }
}
