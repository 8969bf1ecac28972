package dev.sro.testkit.node;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The way from the API server into the machines, whose network nobody outside of QEMU knows: an HTTP proxy that joins a kubelet's address
 * with the port that QEMU listens on for it. Thread-safe.
 */
final class KubeletTunnel implements AutoCloseable {
    private static final Pattern CONNECT = Pattern.compile("CONNECT (\\S+) HTTP/1\\.[01]\r\n");
    private static final int LONGEST_HEAD = 16_384;

    private final ServerSocket server;
    private final Map<String, Integer> ports = new ConcurrentHashMap<>();

    private final Path settings;

    private KubeletTunnel(ServerSocket server) throws IOException {
        this.server = server;
        settings = Files.createTempFile("sro-way-to-kubelets", ".yaml");
        Files.writeString(settings, """
                apiVersion: apiserver.k8s.io/v1beta1
                kind: EgressSelectorConfiguration
                egressSelections:
                - name: cluster
                  connection:
                    proxyProtocol: HTTPConnect
                    transport: {tcp: {url: "http://127.0.0.1:%d"}}
                """.formatted(port()));
    }

    static KubeletTunnel start() {
        try {
            KubeletTunnel tunnel = new KubeletTunnel(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
            daemon("kubelet-tunnel", tunnel::accept);
            return tunnel;
        } catch (IOException e) {
            throw new UncheckedIOException("no port for the way to the kubelets", e);
        }
    }

    int port() {
        return server.getLocalPort();
    }

    /**
     * Where an address is reached.
     *
     * @param address with its port, as the API server asks for it
     */
    void route(String address, int port) {
        ports.put(address, port);
    }

    /** A file that tells an API server to come here for whatever is in the cluster. It goes with this. */
    Path egressSelector() {
        return settings;
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket caller = server.accept();
                daemon("kubelet-tunnel-connection", () -> join(caller));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void join(Socket caller) {
        try (caller) {
            Matcher request = CONNECT.matcher(head(caller.getInputStream()));
            Integer port = request.lookingAt() ? ports.get(request.group(1)) : null;
            OutputStream answer = caller.getOutputStream();
            if (port == null) {
                answer.write("HTTP/1.1 502 No Such Machine\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                return;
            }
            try (Socket machine = new Socket(InetAddress.getLoopbackAddress(), port)) {
                answer.write("HTTP/1.1 200 Connected\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                // Who has asked all may still be owed the answer.
                daemon("kubelet-tunnel-questions", () -> copy(caller, machine));
                copy(machine, caller);
            }
        } catch (IOException gone) {
            // One of the two: the other one sees its end.
        }
    }

    private static String head(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (head.size() < LONGEST_HEAD) {
            int next = in.read();
            if (next < 0) {
                break;
            }
            head.write(next);
            String text = head.toString(StandardCharsets.ISO_8859_1);
            if (text.endsWith("\r\n\r\n")) {
                return text;
            }
        }
        return "";
    }

    private static void copy(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
            to.shutdownOutput();
        } catch (IOException gone) {
            try {
                to.close();
            } catch (IOException closed) {
                // It is.
            }
        }
    }

    private static void daemon(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        try {
            server.close();
            Files.deleteIfExists(settings);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
