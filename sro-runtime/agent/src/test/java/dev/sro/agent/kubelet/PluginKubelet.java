package dev.sro.agent.kubelet;

import dev.sro.agent.plugin.KubeletUse;
import io.grpc.CallOptions;
import io.grpc.Context;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Kubelet as far as device plugins see it: registration, lists, admission and starts of containers, over sockets. Simulated: none of its code is here. */
final class PluginKubelet implements KubeletUse, AutoCloseable {
    private static final long PATIENCE_MILLIS = 20_000;

    private final Path directory;
    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final Map<String, String> endpoints = new HashMap<>();
    private final Map<String, List<PluginDevice>> devices = new TreeMap<>();
    private final List<ManagedChannel> streams = new ArrayList<>();
    private final Map<String, Map<String, List<String>>> pods = new TreeMap<>();
    private final Set<String> untold = new TreeSet<>();
    private int registrations;
    private boolean silent;
    private @Nullable Server server;

    PluginKubelet(Path kubelet) throws IOException {
        directory = kubelet.resolve("device-plugins");
        Files.createDirectories(directory);
        start();
    }

    private void start() throws IOException {
        server = NettyServerBuilder.forAddress(UnixDomainSocketAddress.of(directory.resolve("kubelet.sock")))
                .channelType(NioServerDomainSocketChannel.class)
                .bossEventLoopGroup(loop)
                .workerEventLoopGroup(loop)
                .addService(ServerServiceDefinition.builder("v1beta1.Registration")
                        .addMethod(Calls.REGISTER, ServerCalls.asyncUnaryCall((request, response) -> {
                            // As kubelet does it: options before the answer, the list behind it.
                            PluginMessages.Options options =
                                    call(request.endpoint(), Calls.PLUGIN_OPTIONS, Calls.Empty.EMPTY);
                            if (!options.equals(request.options())) {
                                throw new IllegalStateException("two kinds of options");
                            }
                            response.onNext(Calls.Empty.EMPTY);
                            response.onCompleted();
                            // What is called within a call ends with it.
                            Context.ROOT.run(() -> watch(request.resource(), request.endpoint()));
                        }))
                        .build())
                .build()
                .start();
    }

    /** Its end and a new start: all sockets are thrown away, what pods have is remembered. */
    void restart() throws IOException {
        stop();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        start();
    }

    private synchronized void stop() {
        if (server != null) {
            server.shutdownNow();
        }
        streams.forEach(ManagedChannel::shutdownNow);
        streams.clear();
        devices.clear();
    }

    private ManagedChannel channel(String endpoint) {
        return NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(directory.resolve(endpoint)))
                .channelType(NioDomainSocketChannel.class)
                .eventLoopGroup(loop)
                .overrideAuthority("localhost")
                .usePlaintext()
                .build();
    }

    private <A, B> B call(String endpoint, MethodDescriptor<A, B> method, A request) {
        ManagedChannel channel = channel(endpoint);
        try {
            return ClientCalls.blockingUnaryCall(
                    channel, method, CallOptions.DEFAULT.withDeadlineAfter(10, TimeUnit.SECONDS), request);
        } finally {
            channel.shutdownNow();
        }
    }

    private synchronized void watch(String resource, String endpoint) {
        registrations++;
        endpoints.put(resource, endpoint);
        ManagedChannel channel = channel(endpoint);
        streams.add(channel);
        ClientCalls.asyncServerStreamingCall(
                channel.newCall(Calls.LIST_AND_WATCH, CallOptions.DEFAULT),
                Calls.Empty.EMPTY,
                new StreamObserver<List<PluginDevice>>() {
                    @Override
                    public void onNext(List<PluginDevice> now) {
                        synchronized (PluginKubelet.this) {
                            devices.put(resource, now);
                            PluginKubelet.this.notifyAll();
                        }
                    }

                    @Override
                    public void onError(Throwable e) {
                        // The end of the plugin or of this.
                    }

                    @Override
                    public void onCompleted() {
                        // Never.
                    }
                });
    }

    /** Waits until a resource has such a list. */
    synchronized List<PluginDevice> devices(String resource, Predicate<List<PluginDevice>> as)
            throws InterruptedException {
        long end = System.currentTimeMillis() + PATIENCE_MILLIS;
        while (!devices.containsKey(resource) || !as.test(devices.get(resource))) {
            long left = end - System.currentTimeMillis();
            if (left <= 0) {
                throw new AssertionError(resource + ": " + devices);
            }
            wait(left);
        }
        return devices.get(resource);
    }

    /** Waits until what the plugin would tell now has come: streams are not in step with calls. */
    void latest(String resource) throws InterruptedException {
        ManagedChannel channel = channel(endpoint(resource));
        try {
            List<PluginDevice> now = ClientCalls.blockingServerStreamingCall(
                            channel, Calls.LIST_AND_WATCH, CallOptions.DEFAULT, Calls.Empty.EMPTY)
                    .next();
            List<PluginDevice> unused = devices(resource, now::equals);
        } finally {
            channel.shutdownNow();
        }
    }

    synchronized int registrations() {
        return registrations;
    }

    /** Ids of a resource that no pod has, as a scheduler counts them. */
    synchronized List<String> free(String resource) {
        Set<String> had = devices().keySet();
        return devices.getOrDefault(resource, List.of()).stream()
                .filter(PluginDevice::healthy)
                .map(PluginDevice::id)
                .filter(id -> !had.contains(id))
                .toList();
    }

    /**
     * Admits a pod of one container, and starts it.
     *
     * @return what it was told to give the container, and the ids
     * @throws StatusRuntimeException if the plugin says no; then the pod has failed
     */
    List<String> run(String pod, String resource, int count) {
        List<String> ids = admit(pod, resource, count);
        start(pod);
        return ids;
    }

    List<String> admit(String pod, String resource, int count) {
        List<String> free = free(resource);
        if (free.size() < count) {
            throw new IllegalStateException(resource + ": insufficient");
        }
        List<String> ids = free.size() == count
                ? free
                : call(
                                endpoint(resource),
                                Calls.PREFERRED,
                                new PluginMessages.Preferences(
                                        List.of(new PluginMessages.Preference(free, List.of(), count))))
                        .containers()
                        .get(0);
        give(pod, resource, ids);
        return ids;
    }

    /** Gives these, whatever the list says by now. */
    void give(String pod, String resource, List<String> ids) {
        PluginMessages.Allocated answer =
                call(endpoint(resource), Calls.ALLOCATE, new PluginMessages.Ids(List.of(ids)));
        if (answer.containers().size() != 1 || answer.containers().get(0).size() != ids.size()) {
            throw new IllegalStateException(resource + ": not a CDI device for each id: " + answer);
        }
        synchronized (this) {
            pods.computeIfAbsent(pod, key -> new TreeMap<>()).put(resource, ids);
        }
    }

    private synchronized String endpoint(String resource) {
        return endpoints.getOrDefault(resource, "");
    }

    /** A start of the container, the first or another one. */
    void start(String pod) {
        Map<String, List<String>> had;
        synchronized (this) {
            had = new TreeMap<>(pods.getOrDefault(pod, Map.of()));
        }
        had.forEach((resource, ids) -> call(endpoint(resource), Calls.PRE_START, ids));
    }

    synchronized void end(String pod) {
        pods.remove(pod);
    }

    /** As while a plain init container has devices. */
    synchronized void tellsNothingOf(String... resources) {
        untold.clear();
        untold.addAll(List.of(resources));
    }

    /** Says nothing of pods any more. */
    synchronized void silent(boolean now) {
        silent = now;
    }

    @Override
    public synchronized Map<String, String> devices() {
        Map<String, String> had = new TreeMap<>();
        pods.forEach((pod, resources) -> resources.values().forEach(ids -> ids.forEach(id -> had.put(id, pod))));
        return had;
    }

    Map<String, String> told() throws IOException {
        if (silent) {
            throw new IOException("kubelet does not answer");
        }
        return devices();
    }

    @Override
    public synchronized Set<String> untold() {
        return Set.copyOf(untold);
    }

    @Override
    public void close() {
        stop();
        Future<?> unused = loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    }
}
