package dev.sro.agent.kubelet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.agent.kubelet.PodResources.PodDevices;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.util.concurrent.Future;
import io.grpc.stub.ServerCalls;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PodResourcesTest {
    @Test
    void whatPodsHaveByDevicePluginsIsReadFromKubeletsSocket() throws Exception {
        Path directory = Files.createTempDirectory("p");
        Path socket = directory.resolve("pod-resources/kubelet.sock");
        Files.createDirectories(socket.getParent());
        List<PodDevices> pods = List.of(
                new PodDevices("ns/a", "nvidia.com/gpu", List.of("GPU-1", "GPU-2")),
                new PodDevices("other/b", "nvidia.com/mig-1g.5gb", List.of("MIG-3")));
        EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        Server server = NettyServerBuilder.forAddress(UnixDomainSocketAddress.of(socket))
                .channelType(NioServerDomainSocketChannel.class)
                .bossEventLoopGroup(loop)
                .workerEventLoopGroup(loop)
                .addService(ServerServiceDefinition.builder("v1.PodResourcesLister")
                        .addMethod(Calls.POD_RESOURCES, ServerCalls.asyncUnaryCall((request, response) -> {
                            response.onNext(pods);
                            response.onCompleted();
                        }))
                        .build())
                .build()
                .start();
        try {
            assertThat(new PodResources(directory).list()).isEqualTo(pods);
        } finally {
            server.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
            Future<?> unused = loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
            Files.deleteIfExists(socket);
        }
        assertThatThrownBy(() -> new PodResources(directory).list())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is not there");
        Files.delete(directory.resolve("pod-resources"));
        Files.delete(directory);
    }
}
