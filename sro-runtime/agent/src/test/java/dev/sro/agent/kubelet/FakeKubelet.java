package dev.sro.agent.kubelet;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.netty.shaded.io.grpc.netty.InternalNettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** What kubelet does: looks for sockets, asks who is there, registers, and calls the service that it was told of. */
final class FakeKubelet implements AutoCloseable {
    private final Path directory;
    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());

    FakeKubelet(Path directory) {
        this.directory = directory;
    }

    /** All sockets of its registry, as after a restart. */
    List<Path> found() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("plugins_registry"))) {
            return files.sorted().toList();
        }
    }

    /** With the path as authority, as kubelet has it here. */
    PluginInfo register(Path socket) {
        PluginInfo info = call(socket, socket.toString(), Calls.GET_INFO, Calls.Empty.EMPTY);
        call(socket, socket.toString(), Calls.NOTIFY, new RegistrationStatus(true, ""));
        return info;
    }

    Map<String, ClaimResult> prepare(PluginInfo plugin, ClaimsRequest request) {
        return call(Path.of(plugin.endpoint()), "localhost", Calls.prepare(Calls.DRA_V1), request)
                .results();
    }

    Map<String, ClaimResult> unprepare(PluginInfo plugin, ClaimsRequest request) {
        return call(Path.of(plugin.endpoint()), "localhost", Calls.unprepare(Calls.DRA_V1), request)
                .results();
    }

    <A, B> B call(Path socket, String authority, MethodDescriptor<A, B> method, A request) {
        NettyChannelBuilder builder = NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(socket))
                .channelType(NioDomainSocketChannel.class)
                .eventLoopGroup(loop)
                .usePlaintext();
        InternalNettyChannelBuilder.disableCheckAuthority(builder);
        ManagedChannel channel = builder.overrideAuthority(authority).build();
        try {
            return ClientCalls.blockingUnaryCall(
                    channel, method, CallOptions.DEFAULT.withDeadlineAfter(45, TimeUnit.SECONDS), request);
        } finally {
            channel.shutdownNow();
        }
    }

    @Override
    public void close() {
        Future<?> unused = loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    }
}
