package dev.sro.testkit.node;

import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * What tells a machine who it is: an archive on its second disk with its name, its address, and what its kubelet shows to the API server.
 * Immutable.
 *
 * @param tokens of kubelets, by the names of their nodes
 */
record NodeFiles(Map<String, String> tokens) {
    NodeFiles {
        tokens = Map.copyOf(tokens);
    }

    static NodeFiles create(int machines) {
        Map<String, String> tokens = new TreeMap<>();
        SecureRandom random = new SecureRandom();
        for (int i = 0; i < machines; i++) {
            byte[] bytes = new byte[24];
            random.nextBytes(bytes);
            tokens.put(name(i), HexFormat.of().formatHex(bytes));
        }
        return new NodeFiles(tokens);
    }

    static String name(int index) {
        return "node-" + (index + 1);
    }

    /** Writes the archive into a new directory for the machine, and returns that. */
    Path write(Path home, String name, String address, Config api, Path kubeletClients) {
        try {
            Path folder = Files.createDirectory(home.resolve(name));
            Path root = Files.createDirectory(folder.resolve("files"));
            int port = URI.create(api.getMasterUrl()).getPort();
            String certificate = Files.readString(Path.of(Objects.requireNonNull(api.getCaCertFile())));
            put(root, "etc/hostname", name + "\n");
            put(root, "etc/hosts", "127.0.0.1 localhost\n%s %s\n%s host\n".formatted(address, name, NodeCluster.HOST));
            put(root, "etc/rig/node", """
                    NODE_NAME=%s
                    NODE_ADDRESS=%s
                    API_PORT=%d
                    API_SERVICE=10.96.0.1
                    SERVICES=10.96.0.0/16
                    REGISTRY_PORT=%d
                    """.formatted(name, address, port, Registry.PORT));
            put(root, "etc/containerd/certs.d/_default/hosts.toml", """
                    server = "http://localhost:%1$d"
                    [host."http://localhost:%1$d"]
                    capabilities = ["pull", "resolve"]
                    """.formatted(Registry.PORT));
            put(root, "etc/kubernetes/kubelet-clients.crt", Files.readString(kubeletClients));
            put(root, "etc/kubernetes/ca.crt", certificate);
            put(root, "etc/kubernetes/kubelet.kubeconfig", """
                    apiVersion: v1
                    kind: Config
                    current-context: node
                    contexts: [{name: node, context: {cluster: node, user: node}}]
                    clusters: [{name: node, cluster: {server: "https://%s:%d", certificate-authority: /etc/kubernetes/ca.crt}}]
                    users: [{name: node, user: {token: "%s"}}]
                    """.formatted(
                            NodeCluster.HOST, port, Objects.requireNonNull(tokens.get(name))));
            RigProcess.run(
                    List.of(
                            "tar",
                            "--owner=0",
                            "--group=0",
                            "-C",
                            root.toString(),
                            "-cf",
                            folder.resolve("node.tar").toString(),
                            "etc"),
                    folder,
                    "tar",
                    Duration.ofMinutes(1));
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the files of " + name, e);
        }
    }

    private static void put(Path root, String path, String text) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        Files.writeString(file, text);
    }
}
