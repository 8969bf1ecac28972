package dev.sro.core.recipe.source;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A proxy that opens tunnels, all of them to one port of this machine, and remembers what it was asked. */
final class TunnelProxy implements AutoCloseable {

    final List<String> heads = new CopyOnWriteArrayList<>();
    private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final int target;

    TunnelProxy(int target) throws IOException {
        this.target = target;
        background(this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = listening.accept();
            background(() -> tunnel(client));
        }
    }

    private void tunnel(Socket client) throws IOException {
        StringBuilder head = new StringBuilder();
        InputStream in = client.getInputStream();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) in.read());
        }
        heads.add(head.toString());
        Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
        OutputStream out = client.getOutputStream();
        out.write("HTTP/1.1 200 Connection established\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        background(() -> server.getInputStream().transferTo(out));
        in.transferTo(server.getOutputStream());
    }

    private interface Task {
        void run() throws IOException;
    }

    private static void background(Task task) {
        Thread thread = new Thread(() -> {
            try {
                task.run();
            } catch (IOException e) {
                // Its end.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
