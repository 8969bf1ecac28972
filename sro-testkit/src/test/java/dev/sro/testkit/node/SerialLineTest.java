package dev.sro.testkit.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against an agent of a few lines in place of a machine's. */
class SerialLineTest {
    @TempDir
    private Path folder;

    private ServerSocketChannel server;
    private SerialLine line;

    @BeforeEach
    void listen() throws IOException {
        Path socket = folder.resolve("s");
        server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(socket));
        line = new SerialLine(socket);
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    private void answer(Function<String[], String> agent) {
        Thread thread = new Thread(() -> {
            try (SocketChannel channel = server.accept()) {
                ByteBuffer buffer = ByteBuffer.allocate(4_096);
                StringBuilder text = new StringBuilder();
                while (!text.toString().matches("\n[^\n]+\n")) {
                    channel.read(buffer.clear());
                    text.append(StandardCharsets.US_ASCII.decode(buffer.flip()));
                }
                String said = agent.apply(text.toString().trim().split(" "));
                channel.write(ByteBuffer.wrap(said.getBytes(StandardCharsets.US_ASCII)));
                if (!said.isEmpty()) {
                    channel.read(buffer.clear());
                }
            } catch (IOException closed) {
                // The test is over.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private static String said(String number, int status, String output) {
        return "ANSWER " + number + " " + status + "\r\n"
                + Base64.getMimeEncoder().encodeToString(output.getBytes(StandardCharsets.UTF_8)) + "\r\nEND " + number
                + "\r\n";
    }

    @Test
    void aCommandGoesWithItsNumberAndItsLimitAndComesBackWithItsStatus() throws IOException {
        answer(words -> said(
                words[0],
                3,
                words[1] + " s: " + new String(Base64.getDecoder().decode(words[2]), StandardCharsets.UTF_8) + "\nü"));

        Machine.Answer answer = line.run("echo 'a b'", Duration.ofSeconds(9));

        assertThat(answer).isEqualTo(new Machine.Answer(3, "9 s: echo 'a b'\nü"));
    }

    @Test
    void whatAnEarlierCommandSaysLateIsNotTheAnswer() throws IOException {
        answer(words -> said("0", 1, "late") + said(words[0], 0, ""));

        assertThat(line.run("true", Duration.ofSeconds(1))).isEqualTo(new Machine.Answer(0, ""));
    }

    @Test
    void aMachineThatGoesIsNotWaitedFor() {
        answer(words -> "");

        assertThatThrownBy(() -> line.run("true", Duration.ofMinutes(5))).hasMessage("the machine is gone");
    }

    @Test
    void aLineWithoutAMachineIsAnError() throws IOException {
        server.close();

        assertThatThrownBy(() -> line.run("true", Duration.ofSeconds(1))).isInstanceOf(IOException.class);
    }
}
