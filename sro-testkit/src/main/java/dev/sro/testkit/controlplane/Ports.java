package dev.sro.testkit.controlplane;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/**
 * Free ports on the loopback interface. Somebody else may take one before its process does; the control plane is then started once
 * more with others.
 *
 * @param etcd for clients
 * @param etcdPeer for other etcds, of which there are none
 * @param apiServer HTTPS
 * @param controllerManager HTTPS, for its health
 * @param scheduler HTTPS, for its health
 * @param kwok HTTP, for its health
 */
record Ports(int etcd, int etcdPeer, int apiServer, int controllerManager, int scheduler, int kwok) {

    static Ports free() {
        int[] ports = new int[6];
        try {
            take(ports, 0);
        } catch (IOException e) {
            throw new UncheckedIOException("no free port", e);
        }
        return new Ports(ports[0], ports[1], ports[2], ports[3], ports[4], ports[5]);
    }

    /** All are held until the last is known: no number comes twice. */
    private static void take(int[] ports, int next) throws IOException {
        if (next < ports.length) {
            try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                ports[next] = socket.getLocalPort();
                take(ports, next + 1);
            }
        }
    }
}
