package dev.sro.testkit.node;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Commands through the second serial line of a machine, one after the other. The line works when the network does not. What the machine
 * wrote for a command that was given up is told from the answer to the next by its number. Thread-safe.
 */
final class SerialLine {
    private final Path socket;
    private long number;

    SerialLine(Path socket) {
        this.socket = socket;
    }

    /**
     * Runs a command of the shell.
     *
     * @throws IOException if there is no answer in time, or no machine
     */
    synchronized Machine.Answer run(String command, Duration limit) throws IOException {
        number++;
        String line = "\n" + number + " " + Math.max(1, limit.toSeconds()) + " "
                + Base64.getEncoder().encodeToString(command.getBytes(StandardCharsets.UTF_8)) + "\n";
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
                Selector selector = Selector.open()) {
            channel.write(ByteBuffer.wrap(line.getBytes(StandardCharsets.US_ASCII)));
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ);
            return read(channel, selector, answer(number), limit.plusSeconds(5));
        }
    }

    private static Machine.Answer read(SocketChannel channel, Selector selector, Pattern wanted, Duration limit)
            throws IOException {
        long end = System.nanoTime() + limit.toNanos();
        StringBuilder text = new StringBuilder();
        ByteBuffer buffer = ByteBuffer.allocate(65_536);
        while (true) {
            long left = (end - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                throw new SocketTimeoutException("no answer from the machine in " + limit.toSeconds() + " s");
            }
            selector.select(left);
            selector.selectedKeys().clear();
            buffer.clear();
            int read = channel.read(buffer);
            if (read < 0) {
                throw new IOException("the machine is gone");
            }
            if (read > 0) {
                text.append(StandardCharsets.US_ASCII.decode(buffer.flip()));
                Matcher found = wanted.matcher(text);
                if (found.find()) {
                    return decode(found);
                }
            }
        }
    }

    /** From the line with the number and the exit status to the line with the number alone. */
    static Pattern answer(long number) {
        return Pattern.compile("ANSWER " + number + " (\\d+)\\r?\\n([A-Za-z0-9+/=\\s]*)END " + number + "\\r?\\n");
    }

    static Machine.Answer decode(Matcher found) {
        byte[] output = Base64.getMimeDecoder().decode(found.group(2));
        return new Machine.Answer(Integer.parseInt(found.group(1)), new String(output, StandardCharsets.UTF_8));
    }
}
