package dev.sro.agent.kubelet;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
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
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A device plugin of one resource, as kubelet sees it: a socket in kubelet's directory, registered there. Kubelet registers nobody by itself, and throws
 * all sockets away when it starts: {@link #keep} looks for that. Thread-safe.
 */
public final class DevicePluginSocket implements PluginSocket {
    private static final String VERSION = "v1beta1";
    private static final long SECONDS = 10;
    private static final long GRACE_SECONDS = 2;
    private static final PluginMessages.Options OPTIONS = new PluginMessages.Options(true, true);

    private final Path directory;
    private final String endpoint;
    private final String resource;
    private final PluginHandler handler;
    private final ExecutorService executor;
    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final List<StreamObserver<List<PluginDevice>>> watching = new ArrayList<>();
    private List<PluginDevice> devices = List.of();
    private @Nullable Server server;
    private Optional<Object> registeredWith = Optional.empty();

    /**
     * Serves nothing yet.
     *
     * @param kubelet its directory; the sockets are in {@code device-plugins} there
     * @param resource such as {@code nvidia.com/mig-1g.5gb}
     * @param executor its threads make slices, so there have to be several; not closed here
     */
    public DevicePluginSocket(Path kubelet, String resource, PluginHandler handler, ExecutorService executor) {
        directory = kubelet.resolve("device-plugins");
        endpoint = "sro-" + resource.substring(resource.indexOf('/') + 1).replaceAll("[^A-Za-z0-9.-]", "_") + ".sock";
        PluginSockets.checkLength(directory.resolve(endpoint));
        this.resource = resource;
        this.handler = handler;
        this.executor = executor;
    }

    @Override
    public String resource() {
        return resource;
    }

    @Override
    public synchronized void devices(List<PluginDevice> now) {
        if (!now.equals(devices)) {
            devices = List.copyOf(now);
            watching.removeIf(stream -> !told(stream, devices));
        }
    }

    private static boolean told(StreamObserver<List<PluginDevice>> stream, List<PluginDevice> devices) {
        try {
            stream.onNext(devices);
            return true;
        } catch (StatusRuntimeException | IllegalStateException e) {
            // Kubelet has gone.
            return false;
        }
    }

    /**
     * Sees to it that kubelet knows the plugin: registers it if kubelet was started since, or threw the socket away.
     *
     * @return whether it was registered now
     * @throws IOException if kubelet is not there or refuses; come again
     */
    @Override
    public synchronized boolean keep() throws IOException {
        Path kubelet = directory.resolve("kubelet.sock");
        if (!Files.exists(kubelet)) {
            registeredWith = Optional.empty();
            throw new IOException(kubelet + " is not there");
        }
        // By its inode and the time of its making: kubelet makes it anew at each start.
        Object key = Files.getAttribute(kubelet, "unix:ino") + "/" + Files.getAttribute(kubelet, "unix:ctime");
        if (registeredWith.equals(Optional.of(key)) && Files.exists(directory.resolve(endpoint)) && server != null) {
            return false;
        }
        // Of the same name kubelet takes the last one, and may end it with the stream of the one before.
        stop();
        serve();
        register(kubelet);
        registeredWith = Optional.of(key);
        return true;
    }

    private void serve() throws IOException {
        Path socket = directory.resolve(endpoint);
        Files.deleteIfExists(socket);
        server = NettyServerBuilder.forAddress(UnixDomainSocketAddress.of(socket))
                .channelType(NioServerDomainSocketChannel.class)
                .bossEventLoopGroup(loop)
                .workerEventLoopGroup(loop)
                .executor(executor)
                .addService(service())
                .build()
                .start();
    }

    private ServerServiceDefinition service() {
        return ServerServiceDefinition.builder(Calls.DEVICE_PLUGIN)
                .addMethod(Calls.PLUGIN_OPTIONS, ServerCalls.asyncUnaryCall((request, response) -> {
                    response.onNext(OPTIONS);
                    response.onCompleted();
                }))
                .addMethod(
                        Calls.LIST_AND_WATCH,
                        ServerCalls.asyncServerStreamingCall((request, response) -> watch(response)))
                .addMethod(
                        Calls.PREFERRED,
                        ServerCalls.asyncUnaryCall((request, response) -> answer(response, () -> preferred(request))))
                .addMethod(
                        Calls.ALLOCATE,
                        ServerCalls.asyncUnaryCall((request, response) -> answer(response, () -> allocate(request))))
                .addMethod(
                        Calls.PRE_START,
                        ServerCalls.asyncUnaryCall((ids, response) -> answer(response, () -> {
                            handler.start(ids);
                            return Calls.Empty.EMPTY;
                        })))
                .build();
    }

    private interface Answer<T> {
        T get() throws IOException;
    }

    private <T> void answer(StreamObserver<T> response, Answer<T> answer) {
        T value;
        try {
            value = answer.get();
        } catch (IOException e) {
            response.onError(
                    Status.FAILED_PRECONDITION.withDescription(e.getMessage()).asRuntimeException());
            return;
        } catch (RuntimeException e) {
            response.onError(Status.INTERNAL
                    .withDescription(resource + ": " + e)
                    .withCause(e)
                    .asRuntimeException());
            return;
        }
        response.onNext(value);
        response.onCompleted();
    }

    private PluginMessages.Ids preferred(PluginMessages.Preferences request) {
        return new PluginMessages.Ids(request.containers().stream()
                .map(one -> handler.preferred(one.available(), one.must(), one.size()))
                .toList());
    }

    private PluginMessages.Allocated allocate(PluginMessages.Ids request) throws IOException {
        List<List<String>> answers = new ArrayList<>();
        for (List<String> ids : request.containers()) {
            answers.add(handler.allocate(ids));
        }
        return new PluginMessages.Allocated(answers);
    }

    private synchronized void watch(StreamObserver<List<PluginDevice>> stream) {
        if (told(stream, devices)) {
            watching.add(stream);
        }
    }

    /** Kubelet asks for the options before it answers, on another thread than this. */
    private void register(Path kubelet) throws IOException {
        ManagedChannel channel = NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(kubelet))
                .channelType(NioDomainSocketChannel.class)
                .eventLoopGroup(loop)
                .overrideAuthority("localhost")
                .usePlaintext()
                .directExecutor()
                .build();
        try {
            Calls.Empty unused = ClientCalls.blockingUnaryCall(
                    channel,
                    Calls.REGISTER,
                    CallOptions.DEFAULT.withDeadlineAfter(SECONDS, TimeUnit.SECONDS),
                    new PluginMessages.Register(VERSION, endpoint, resource, OPTIONS));
        } catch (StatusRuntimeException e) {
            throw new IOException(resource + " is not registered: " + e.getMessage(), e);
        } finally {
            channel.shutdownNow();
        }
    }

    private void stop() {
        if (server != null) {
            server.shutdownNow();
            try {
                // Its end is told on threads that others may stop after this.
                boolean unused = server.awaitTermination(GRACE_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            server = null;
        }
        watching.clear();
    }

    /** The socket goes: kubelet takes all devices for ill, and those that containers have stay theirs. */
    @Override
    public synchronized void close() throws IOException {
        stop();
        Future<?> unused = loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
        Files.deleteIfExists(directory.resolve(endpoint));
    }
}
