package dev.sro.agent.kubelet;

import dev.sro.agent.slice.SliceKeeper;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.grpc.stub.ServerCalls;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The plugin as kubelet sees it: a socket with the service, and one where kubelet learns of it. Both stay where kubelet restarts: it looks
 * through its directory again. Thread-safe.
 */
public final class KubeletPlugin implements AutoCloseable {
    private static final int GRACE_SECONDS = 2;

    /** Held here: a logger that nobody holds forgets its level. */
    private final Logger bootstrap = Logger.getLogger("io.grpc.netty.shaded.io.netty.bootstrap");

    private final PluginSockets sockets;
    private final EventLoopGroup loop;
    private final ExecutorService executor;
    private final List<Server> servers = new ArrayList<>();

    private KubeletPlugin(PluginSockets sockets, ExecutorService executor) {
        this.sockets = sockets;
        this.executor = executor;
        // It warns with each connection that Unix sockets have no keep-alive.
        bootstrap.setLevel(Level.SEVERE);
        loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    }

    /**
     * Serves, first the service, then the registration.
     *
     * @param driver name of the driver
     * @param executor its threads make slices, which takes seconds, so there have to be several, without a bound; not closed here
     * @param listener told what kubelet does
     * @throws IOException if a socket cannot be had
     */
    public static KubeletPlugin start(
            String driver,
            PluginSockets sockets,
            SliceKeeper keeper,
            ClaimLookup lookup,
            ExecutorService executor,
            PluginListener listener)
            throws IOException {
        KubeletPlugin plugin = new KubeletPlugin(sockets, executor);
        try {
            ClaimService claims = new ClaimService(keeper, lookup, executor, listener);
            plugin.serve(sockets.service(), service(Calls.DRA_V1, claims), service(Calls.DRA_V1BETA1, claims));
            PluginInfo info =
                    new PluginInfo("DRAPlugin", driver, sockets.service().toString(), Calls.VERSIONS);
            plugin.serve(sockets.registration(), registration(info, listener));
            return plugin;
        } catch (IOException | RuntimeException e) {
            plugin.close();
            throw e;
        }
    }

    private static ServerServiceDefinition service(String name, ClaimService claims) {
        return ServerServiceDefinition.builder(name)
                .addMethod(Calls.prepare(name), ServerCalls.asyncUnaryCall((request, response) -> {
                    response.onNext(claims.prepare(request));
                    response.onCompleted();
                }))
                .addMethod(Calls.unprepare(name), ServerCalls.asyncUnaryCall((request, response) -> {
                    response.onNext(claims.unprepare(request));
                    response.onCompleted();
                }))
                .build();
    }

    private static ServerServiceDefinition registration(PluginInfo info, PluginListener listener) {
        return ServerServiceDefinition.builder(Calls.REGISTRATION)
                .addMethod(Calls.GET_INFO, ServerCalls.asyncUnaryCall((request, response) -> {
                    response.onNext(info);
                    response.onCompleted();
                }))
                .addMethod(Calls.NOTIFY, ServerCalls.asyncUnaryCall((status, response) -> {
                    listener.registered(status);
                    response.onNext(Calls.Empty.EMPTY);
                    response.onCompleted();
                }))
                .build();
    }

    private void serve(Path socket, ServerServiceDefinition... services) throws IOException {
        Files.createDirectories(socket.toAbsolutePath().getParent());
        // What a process that was killed left behind: nobody listens there.
        Files.deleteIfExists(socket);
        NettyServerBuilder builder = NettyServerBuilder.forAddress(UnixDomainSocketAddress.of(socket))
                .channelType(NioServerDomainSocketChannel.class)
                .bossEventLoopGroup(loop)
                .workerEventLoopGroup(loop)
                .executor(executor);
        for (ServerServiceDefinition service : services) {
            builder.addService(service);
        }
        servers.add(builder.build().start());
    }

    /** Gives calls that run a moment, and breaks off the others: kubelet asks again. The sockets go, so that kubelet forgets the plugin. */
    @Override
    public void close() throws IOException {
        for (int i = servers.size() - 1; i >= 0; i--) {
            servers.get(i).shutdown();
        }
        try {
            for (Server server : servers) {
                if (!server.awaitTermination(GRACE_SECONDS, TimeUnit.SECONDS)) {
                    server.shutdownNow();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            servers.forEach(Server::shutdownNow);
        }
        Future<?> unused = loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
        Files.deleteIfExists(sockets.registration());
        Files.deleteIfExists(sockets.service());
    }
}
