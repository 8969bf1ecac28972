package dev.sro.testkit.node;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** QEMU's monitor: what is done to a machine from outside. Thread-safe. */
final class Monitor {
    private static final String PROMPT = "(qemu) ";
    private final Path socket;

    Monitor(Path socket) {
        this.socket = socket;
    }

    /** Gives a command and waits until QEMU has done it. */
    synchronized void tell(String command) {
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            awaitPrompt(channel);
            channel.write(ByteBuffer.wrap((command + "\n").getBytes(StandardCharsets.US_ASCII)));
            awaitPrompt(channel);
        } catch (IOException e) {
            throw new RealNodeException("QEMU does not do \"" + command + "\"", e);
        }
    }

    private static void awaitPrompt(SocketChannel channel) throws IOException {
        StringBuilder text = new StringBuilder();
        ByteBuffer buffer = ByteBuffer.allocate(4_096);
        while (!text.toString().endsWith(PROMPT)) {
            buffer.clear();
            if (channel.read(buffer) < 0) {
                throw new IOException("closed after " + text);
            }
            text.append(StandardCharsets.ISO_8859_1.decode(buffer.flip()));
        }
    }
}
