package dev.sro.agent.kubelet;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.util.concurrent.Future;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What pods of the node have by device plugins, as kubelet's socket for that says. Thread-safe. */
public final class PodResources {
    private static final long SECONDS = 5;

    private final Path socket;

    /**
     * Nothing is asked yet.
     *
     * @param kubelet its directory
     */
    public PodResources(Path kubelet) {
        socket = kubelet.resolve("pod-resources/kubelet.sock");
    }

    /**
     * Devices of one resource that a pod has. Immutable.
     *
     * @param pod {@code namespace/name}
     * @param resource such as {@code nvidia.com/gpu}
     * @param devices as its device plugin calls them
     */
    public record PodDevices(String pod, String resource, List<String> devices) {
        /** Copies the list. */
        public PodDevices {
            devices = List.copyOf(devices);
        }
    }

    /**
     * All that pods have by device plugins now.
     *
     * @throws IOException if kubelet does not answer, or its socket is not there
     */
    public List<PodDevices> list() throws IOException {
        if (!Files.exists(socket)) {
            throw new IOException(socket + " is not there");
        }
        EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        ManagedChannel channel = NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(socket))
                .channelType(NioDomainSocketChannel.class)
                .eventLoopGroup(loop)
                .overrideAuthority("localhost")
                .usePlaintext()
                .directExecutor()
                .build();
        try {
            return ClientCalls.blockingUnaryCall(
                    channel,
                    Calls.POD_RESOURCES,
                    CallOptions.DEFAULT.withDeadlineAfter(SECONDS, TimeUnit.SECONDS),
                    Calls.Empty.EMPTY);
        } catch (StatusRuntimeException e) {
            throw new IOException(socket + ": " + e.getMessage(), e);
        } finally {
            channel.shutdownNow();
            Future<?> unused = loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
        }
    }

    static List<PodDevices> read(WireReader reader) throws IOException {
        List<PodDevices> all = new ArrayList<>();
        while (reader.next()) {
            if (reader.field() == 1) {
                pod(reader.message(), all);
            } else {
                reader.skip();
            }
        }
        return all;
    }

    private static void pod(WireReader reader, List<PodDevices> all) throws IOException {
        String name = "";
        String namespace = "";
        List<PodDevices> found = new ArrayList<>();
        while (reader.next()) {
            switch (reader.field()) {
                case 1 -> name = reader.string();
                case 2 -> namespace = reader.string();
                case 3 -> container(reader.message(), found);
                default -> reader.skip();
            }
        }
        for (PodDevices one : found) {
            all.add(new PodDevices(namespace + "/" + name, one.resource(), one.devices()));
        }
    }

    private static void container(WireReader reader, List<PodDevices> found) throws IOException {
        while (reader.next()) {
            if (reader.field() == 2) {
                found.add(devices(reader.message()));
            } else {
                reader.skip();
            }
        }
    }

    private static PodDevices devices(WireReader reader) throws IOException {
        String resource = "";
        List<String> ids = new ArrayList<>();
        while (reader.next()) {
            switch (reader.field()) {
                case 1 -> resource = reader.string();
                case 2 -> ids.add(reader.string());
                default -> reader.skip();
            }
        }
        return new PodDevices("", resource, ids);
    }

    /** As kubelet writes it. */
    static WireWriter write(List<PodDevices> all) {
        WireWriter list = new WireWriter();
        for (PodDevices one : all) {
            WireWriter devices = new WireWriter().string(1, one.resource());
            one.devices().forEach(id -> devices.string(2, id));
            int stroke = one.pod().indexOf('/');
            list.message(
                    1,
                    new WireWriter()
                            .string(1, one.pod().substring(stroke + 1))
                            .string(2, one.pod().substring(0, stroke))
                            .message(3, new WireWriter().string(1, "c").message(2, devices)));
        }
        return list;
    }
}
