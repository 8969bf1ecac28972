package dev.sro.testkit.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class KubeletTunnelTest {

    private static String ask(KubeletTunnel tunnel, String head, String further) throws IOException {
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(tunnel.socket()))) {
            channel.write(ByteBuffer.wrap((head + further).getBytes(StandardCharsets.US_ASCII)));
            channel.shutdownOutput();
            return new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    @Test
    void joinsTheApiServerWithTheKubeletOfAnAddress() throws Exception {
        try (KubeletTunnel tunnel = KubeletTunnel.start();
                ServerSocket kubelet = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            tunnel.route("10.0.2.15:10250", kubelet.getLocalSocketAddress());
            Thread answers = new Thread(() -> {
                try (Socket caller = kubelet.accept()) {
                    byte[] asked = caller.getInputStream().readAllBytes();
                    caller.getOutputStream().write("kubelet got ".getBytes(StandardCharsets.US_ASCII));
                    caller.getOutputStream().write(asked);
                } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            });
            answers.start();

            String answer =
                    ask(tunnel, "CONNECT 10.0.2.15:10250 HTTP/1.1\r\nHost: 10.0.2.15:10250\r\n\r\n", "logs, please");

            assertThat(answer).isEqualTo("HTTP/1.1 200 Connected\r\n\r\nkubelet got logs, please");
            answers.join();
        }
    }

    @Test
    void anAddressOfNoMachineIsRefused() throws IOException {
        try (KubeletTunnel tunnel = KubeletTunnel.start()) {
            assertThat(ask(tunnel, "CONNECT 10.0.2.99:10250 HTTP/1.1\r\n\r\n", ""))
                    .startsWith("HTTP/1.1 502 ");
            assertThat(ask(tunnel, "GET / HTTP/1.1\r\n\r\n", "")).startsWith("HTTP/1.1 502 ");
        }
    }

    @Test
    void theFileForTheApiServerNamesItsSocketAndGoesWithIt() throws IOException {
        KubeletTunnel tunnel = KubeletTunnel.start();
        Path file = tunnel.egressSelector();
        try (tunnel) {
            assertThat(file).content().contains("udsName: \"" + tunnel.socket() + "\"");
        }
        assertThat(Files.exists(file)).isFalse();
    }
}
