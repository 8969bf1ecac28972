package dev.sro.runtime.operator.rollout;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Passes bytes on to a server, and cuts all connections when it is told to. Thread-safe. */
final class CuttableProxy implements AutoCloseable {
    private static final int BUFFER = 16_384;

    private final ServerSocket listening;
    private final int target;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    private CuttableProxy(ServerSocket listening, int target) {
        this.listening = listening;
        this.target = target;
    }

    /** One in front of a port of this machine. */
    static CuttableProxy before(int port) throws IOException {
        CuttableProxy proxy = new CuttableProxy(new ServerSocket(0, 0, InetAddress.getLoopbackAddress()), port);
        daemon(proxy::accept);
        return proxy;
    }

    int port() {
        return listening.getLocalPort();
    }

    /** Ends all connections that there are; new ones are passed on. Returns how many there were. */
    int cut() {
        int connections = 0;
        for (Socket socket : open) {
            connections++;
            close(socket);
        }
        return connections / 2;
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                connect(listening.accept());
            } catch (IOException e) {
                // Closed, or the server is not there: the client sees a connection that ends, and this goes on.
            }
        }
    }

    private void connect(Socket client) throws IOException {
        open.add(client);
        Socket server;
        try {
            server = new Socket(InetAddress.getLoopbackAddress(), target);
        } catch (IOException e) {
            close(client);
            throw e;
        }
        open.add(server);
        daemon(() -> pump(client, server));
        daemon(() -> pump(server, client));
    }

    private void pump(Socket from, Socket to) {
        byte[] buffer = new byte[BUFFER];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                out.write(buffer, 0, read);
            }
        } catch (IOException e) {
            // One side is gone; so goes the other.
        } finally {
            close(from);
            close(to);
        }
    }

    private void close(Socket socket) {
        open.remove(socket);
        try {
            socket.close();
        } catch (IOException e) {
            // It is gone in any case.
        }
    }

    private static void daemon(Runnable task) {
        Thread thread = new Thread(task, "cuttable-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        listening.close();
        cut();
    }
}
