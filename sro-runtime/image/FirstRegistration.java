import dev.sro.testkit.EmbeddedCluster;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.Device;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimStatus;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.netty.shaded.io.grpc.netty.InternalNettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.util.internal.logging.InternalLoggerFactory;
import io.grpc.netty.shaded.io.netty.util.internal.logging.JdkLoggerFactory;
import io.grpc.stub.ClientCalls;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Starts the agent of a node with eight emulated A100 on an API server in this JVM, asks it what kubelet asks, has it make a slice for a claim
 * and take it away, and stops it. Says after how many milliseconds its socket was there, and how much of it was resident some seconds later.
 * For {@code build.sh}, with the class path of the command line.
 *
 * <p>Arguments: a folder that the agent may write to, how often, and the command up to the name of the main class.
 */
final class FirstRegistration {
    private static final String NODE = "n1";
    private static final String NAMESPACE = "default";
    private static final String PROFILE = "1g.5gb";
    private static final int CLAIMS = 400;
    private static final Pattern RESIDENT = Pattern.compile("(?m)^VmRSS:\\s+(\\d+) kB");
    private static final Pattern MOST = Pattern.compile("(?m)^VmHWM:\\s+(\\d+) kB");
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    /** Of docs/benchmarks.md: after the first looks at everything. */
    private static final Duration SETTLED = Duration.ofSeconds(20);

    private static final long POLL_MILLIS = 10;
    private static final String SERVICE = "k8s.io.kubelet.pkg.apis.dra.v1.DRAPlugin/";

    /** Held, as java.util.logging forgets loggers that nobody has. */
    private static final Logger NETTY = Logger.getLogger("io.grpc.netty.shaded.io.netty.bootstrap.Bootstrap");

    private FirstRegistration() {}

    public static void main(String[] args) throws Exception {
        // Of an option that sockets of this kind do not have, at each connection.
        InternalLoggerFactory.setDefaultFactory(JdkLoggerFactory.INSTANCE);
        NETTY.setLevel(Level.OFF);
        Path folder = Path.of(args[0]);
        Files.writeString(
                folder.resolve("devices.yaml"),
                """
                schema: sro.dev/emulated-devices/v1
                nodes:
                - {name: "*", gpus: [{model: A100-40GB, count: 8}]}
                """);
        try (EmbeddedCluster cluster = EmbeddedCluster.builder().realTime().build()) {
            String api = cluster.serveHttp(0).uri().toString();
            KubernetesClient client = cluster.client();
            Node node = new NodeBuilder()
                    .withNewMetadata()
                    .withName(NODE)
                    .endMetadata()
                    .build();
            client.resource(node).create();
            client.resource(new NamespaceBuilder()
                            .withNewMetadata()
                            .withName(NAMESPACE)
                            .endMetadata()
                            .build())
                    .serverSideApply();
            for (int i = 0; i < CLAIMS; i++) {
                client.resource(claim("waiting-" + i)).create();
            }
            for (int i = 0; i < Integer.parseInt(args[1]); i++) {
                // Each start is that of a node on which nothing was yet.
                run(client, api, Files.createDirectories(folder.resolve("run-" + i)), folder, Arrays.asList(args)
                        .subList(2, args.length));
            }
        }
        // Threads of clients may be left.
        System.exit(0);
    }

    private static void run(KubernetesClient client, String api, Path kubelet, Path folder, List<String> start)
            throws Exception {
        List<String> command = new ArrayList<>(start);
        command.addAll(List.of("--node", NODE, "--api", api, "--metrics", "127.0.0.1:0"));
        command.addAll(List.of("--emulated", folder.resolve("devices.yaml").toString(), "--interval", "2"));
        command.addAll(List.of("--kubelet", kubelet.toString()));
        command.addAll(List.of("--cdi", kubelet.resolve("cdi").toString()));
        Path log = folder.resolve("agent.log");
        Path registration = kubelet.resolve("plugins_registry/slices.sro.dev-reg.sock");
        long begun = System.nanoTime();
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            await("its socket", process, log, () -> Files.exists(registration));
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
            await("a slice", process, log, () -> device(client).isPresent());
            useIt(client, registration, kubelet.resolve("plugins/slices.sro.dev/dra.sock"), device(client)
                    .orElseThrow());
            Thread.sleep(SETTLED.toMillis());
            String status = Files.readString(Path.of("/proc/" + process.pid() + "/status"));
            System.out.printf(
                    "registered after %d ms, %d MiB resident, %d MiB at most%n",
                    millis, mebibytes(RESIDENT, status), mebibytes(MOST, status));
        } finally {
            process.destroy();
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException("it does not end: " + Files.readString(log));
            }
        }
        int terminated = 128 + 15;
        if (process.exitValue() != terminated) {
            throw new IllegalStateException("exit code " + process.exitValue() + ": " + Files.readString(log));
        }
    }

    private static long mebibytes(Pattern line, String status) {
        Matcher found = line.matcher(status);
        if (!found.find()) {
            throw new IllegalStateException("no " + line + " in " + status);
        }
        return Long.parseLong(found.group(1)) / 1024;
    }

    /** What kubelet asks when a pod starts and when it is gone. */
    private static void useIt(KubernetesClient client, Path registration, Path service, String device) {
        ResourceClaim made = client.resource(claim("used")).create();
        made.setStatus(Serialization.unmarshal(
                """
                allocation:
                  devices:
                    results:
                    - {request: slice, driver: slices.sro.dev, pool: %s, device: %s}
                """
                        .formatted(pool(client), device),
                ResourceClaimStatus.class));
        ResourceClaim allocated = client.resource(made).updateStatus();
        byte[] request = field(1, field(1, NAMESPACE), field(2, allocated.getMetadata().getUid()), field(3, "used"));
        try (Kubelet kubelet = new Kubelet()) {
            kubelet.call(registration, "pluginregistration.Registration/GetInfo", new byte[0]);
            // plugin_registered
            kubelet.call(registration, "pluginregistration.Registration/NotifyRegistrationStatus", new byte[] {8, 1});
            String prepared = kubelet.call(service, SERVICE + "NodePrepareResources", request);
            if (!prepared.contains(device)) {
                throw new IllegalStateException("not prepared: " + prepared);
            }
            kubelet.call(service, SERVICE + "NodeUnprepareResources", request);
        }
        client.resource(allocated).delete();
    }

    private static String pool(KubernetesClient client) {
        return client.resources(ResourceSlice.class).list().getItems().get(0).getSpec().getPool().getName();
    }

    private static Optional<String> device(KubernetesClient client) {
        return client.resources(ResourceSlice.class).list().getItems().stream()
                .flatMap(slice -> slice.getSpec().getDevices().stream())
                .filter(device -> PROFILE.equals(attribute(device, "profile")))
                .map(Device::getName)
                .findFirst();
    }

    private static String attribute(Device device, String name) {
        var value = device.getAttributes() == null ? null : device.getAttributes().get(name);
        return value == null || value.getString() == null ? "" : value.getString();
    }

    private static ResourceClaim claim(String name) {
        return Serialization.unmarshal(
                """
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {name: %s, namespace: %s}
                spec:
                  devices:
                    requests:
                    - name: slice
                      exactly: {deviceClassName: 1g-5gb.slices.sro.dev}
                """
                        .formatted(name, NAMESPACE),
                ResourceClaim.class);
    }

    /** A field of protobuf with a number and less than 16 kB. */
    private static byte[] field(int number, byte[]... parts) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            content.writeBytes(part);
        }
        ByteArrayOutputStream field = new ByteArrayOutputStream();
        field.write(number << 3 | 2);
        if (content.size() > 127) {
            field.write(content.size() & 127 | 128);
            field.write(content.size() >> 7);
        } else {
            field.write(content.size());
        }
        field.writeBytes(content.toByteArray());
        return field.toByteArray();
    }

    private static byte[] field(int number, String text) {
        return field(number, text.getBytes(StandardCharsets.UTF_8));
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

    /** The client's side of kubelet's sockets, with messages as bytes. */
    private static final class Kubelet implements AutoCloseable {
        private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());

        String call(Path socket, String method, byte[] request) {
            NettyChannelBuilder builder = NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(socket))
                    .channelType(NioDomainSocketChannel.class)
                    .eventLoopGroup(loop)
                    .usePlaintext();
            InternalNettyChannelBuilder.disableCheckAuthority(builder);
            ManagedChannel channel = builder.overrideAuthority("localhost").build();
            try {
                MethodDescriptor<byte[], byte[]> descriptor = MethodDescriptor.newBuilder(BYTES, BYTES)
                        .setType(MethodDescriptor.MethodType.UNARY)
                        .setFullMethodName(method)
                        .build();
                byte[] answer = ClientCalls.blockingUnaryCall(
                        channel, descriptor, CallOptions.DEFAULT.withDeadlineAfter(45, TimeUnit.SECONDS), request);
                return new String(answer, StandardCharsets.UTF_8);
            } finally {
                channel.shutdownNow();
            }
        }

        @Override
        public void close() {
            loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
        }
    }

    private static final MethodDescriptor.Marshaller<byte[]> BYTES = new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    };
}
