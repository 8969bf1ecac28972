package dev.sro.agent.claims;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Begins each answer and never ends it: as behind a connection that is cut without a word. */
public final class StalledApiServer implements AutoCloseable {
    private final ServerSocket socket = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    private final List<Socket> open = new CopyOnWriteArrayList<>();

    /** Answers with this beginning of a body. */
    public StalledApiServer(String beginning) throws IOException {
        Thread thread = new Thread(() -> serve(beginning));
        thread.setDaemon(true);
        thread.start();
    }

    private void serve(String beginning) {
        try {
            while (true) {
                Socket client = socket.accept();
                open.add(client);
                InputStream in = client.getInputStream();
                for (int end = 0, read = in.read(); read >= 0 && end < 3; read = end < 3 ? in.read() : read) {
                    end = read == '\n' || read == '\r' ? end + 1 : 0;
                }
                OutputStream out = client.getOutputStream();
                out.write(("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n"
                                + beginning)
                        .getBytes(StandardCharsets.US_ASCII));
                out.flush();
            }
        } catch (IOException e) {
            if (!socket.isClosed()) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Where it is. */
    public URI address() {
        return URI.create("http://127.0.0.1:" + socket.getLocalPort());
    }

    @Override
    public void close() throws IOException {
        socket.close();
        for (Socket client : open) {
            client.close();
        }
    }
}
