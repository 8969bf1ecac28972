package dev.sro.testkit.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The way from the API server into the machines, whose network nobody outside of them knows: an HTTP proxy that joins a kubelet's address
 * with the port or the socket that stands for it here. Thread-safe.
 */
final class KubeletTunnel implements AutoCloseable {
    private static final Pattern CONNECT = Pattern.compile("CONNECT (\\S+) HTTP/1\\.[01]\r\n");
    private static final int LONGEST_HEAD = 16_384;

    private final ServerSocketChannel server;
    private final Map<String, SocketAddress> addresses = new ConcurrentHashMap<>();
    private final Map<String, SocketAddress> pods = new ConcurrentHashMap<>();
    private final Path folder;
    private final Path settings;

    private KubeletTunnel() throws IOException {
        folder = Files.createTempDirectory("sro-way-to-kubelets");
        settings = folder.resolve("egress.yaml");
        server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(socket()));
        // Not a port: kube-apiserver 1.36 ends with a panic where that has no TLS.
        Files.writeString(settings, """
                apiVersion: apiserver.k8s.io/v1beta1
                kind: EgressSelectorConfiguration
                egressSelections:
                - name: cluster
                  connection:
                    proxyProtocol: HTTPConnect
                    transport: {uds: {udsName: "%s"}}
                """.formatted(socket()));
    }

    static KubeletTunnel start() {
        try {
            KubeletTunnel tunnel = new KubeletTunnel();
            SocketJoint.daemon("kubelet-tunnel", tunnel::accept);
            return tunnel;
        } catch (IOException e) {
            throw new UncheckedIOException("no socket for the way to the kubelets", e);
        }
    }

    Path socket() {
        return folder.resolve("socket");
    }

    /**
     * Where an address is reached.
     *
     * @param address with its port, as the API server asks for it
     */
    void route(String address, SocketAddress place) {
        addresses.put(address, place);
    }

    /**
     * Through which socket pods are reached.
     *
     * @param prefix how their addresses begin
     * @param place takes the address with its port as a first line
     */
    void routePods(String prefix, SocketAddress place) {
        pods.put(prefix, place);
    }

    /** A file that tells an API server to come here for whatever is in the cluster. It goes with this. */
    Path egressSelector() {
        return settings;
    }

    private void accept() {
        while (server.isOpen()) {
            try {
                SocketChannel caller = server.accept();
                SocketJoint.daemon("kubelet-tunnel-connection", () -> join(caller));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void join(SocketChannel caller) {
        try (caller) {
            Matcher request = CONNECT.matcher(head(caller));
            String wanted = request.lookingAt() ? request.group(1) : "";
            SocketAddress known = addresses.get(wanted);
            SocketAddress place = known == null ? wayToPod(wanted) : known;
            if (place == null) {
                write(caller, "HTTP/1.1 502 No Such Machine\r\n\r\n");
                return;
            }
            try (SocketChannel machine = SocketChannel.open(place)) {
                if (known == null) {
                    write(machine, wanted + "\n");
                }
                write(caller, "HTTP/1.1 200 Connected\r\n\r\n");
                SocketJoint.join(caller, machine);
            }
        } catch (IOException gone) {
            // One of the two: the other one sees its end.
        }
    }

    private @Nullable SocketAddress wayToPod(String address) {
        return pods.entrySet().stream()
                .filter(way -> address.startsWith(way.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(null);
    }

    private static void write(SocketChannel to, String text) throws IOException {
        to.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
    }

    /** Byte by byte: what follows is not ours to read. */
    private static String head(SocketChannel in) throws IOException {
        StringBuilder head = new StringBuilder();
        ByteBuffer next = ByteBuffer.allocate(1);
        while (head.length() < LONGEST_HEAD && in.read(next.clear()) > 0) {
            head.append((char) next.get(0));
            if (head.length() > 3 && head.substring(head.length() - 4).equals("\r\n\r\n")) {
                return head.toString();
            }
        }
        return "";
    }

    @Override
    public void close() {
        try {
            server.close();
            Files.deleteIfExists(settings);
            Files.deleteIfExists(socket());
            Files.deleteIfExists(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
