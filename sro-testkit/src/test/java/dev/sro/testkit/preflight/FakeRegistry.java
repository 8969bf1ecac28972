package dev.sro.testkit.preflight;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/** A registry of images over HTTP, which remembers what it was asked. */
public final class FakeRegistry implements AutoCloseable {

    public static final String OCI_MANIFEST = "application/vnd.oci.image.manifest.v1+json";
    static final String OCI_INDEX = "application/vnd.oci.image.index.v1+json";
    static final String DOCKER_MANIFEST = "application/vnd.docker.distribution.manifest.v2+json";
    static final String DOCKER_LIST = "application/vnd.docker.distribution.manifest.list.v2+json";

    private static final int BLOCK = 512;

    final List<String> requests = new CopyOnWriteArrayList<>();
    private final Map<String, byte[]> contents = new ConcurrentHashMap<>();
    private final Set<String> broken = ConcurrentHashMap.newKeySet();
    private final HttpServer server;
    private final ExecutorService executor = Executors.newCachedThreadPool();
    private volatile @Nullable String authorization;
    private volatile Deletes deletes = Deletes.NOTHING;
    private volatile boolean away;

    /** What may be deleted. */
    enum Deletes {
        NOTHING,
        DIGESTS,
        TAGS
    }

    /** From now on this may be deleted. */
    void allow(Deletes what) {
        deletes = what;
    }

    private int delete(String path) {
        int slash = path.lastIndexOf('/');
        boolean digest = path.startsWith("sha256:", slash + 1);
        byte[] manifest = contents.get(path);
        if (deletes == Deletes.NOTHING || (!digest && deletes == Deletes.DIGESTS)) {
            return 405;
        }
        if (manifest == null) {
            return 404;
        }
        contents.remove(path);
        if (digest) {
            // All tags of it go.
            contents.entrySet()
                    .removeIf(other -> other.getKey().startsWith(path.substring(0, slash + 1))
                            && Arrays.equals(other.getValue(), manifest));
        }
        return 202;
    }

    /** Whether there is such a manifest. */
    boolean has(String repository, String tag) {
        return contents.containsKey("/v2/" + repository + "/manifests/" + tag);
    }

    /** Listens at once. */
    public FakeRegistry() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.setExecutor(executor);
        server.start();
    }

    /** With the port: what names of images begin with. */
    public String host() {
        return "localhost:" + server.getAddress().getPort();
    }

    /** From now on nobody gets anything without this header. */
    void require(String header) {
        authorization = header;
    }

    /** What the update service says of a channel: release images by version. */
    public void graph(String channel, Map<String, String> payloads) {
        String nodes = payloads.entrySet().stream()
                .map(node -> "{\"version\": \"" + node.getKey() + "\", \"payload\": \"" + node.getValue() + "\"}")
                .collect(Collectors.joining(", "));
        contents.put(
                "/graph?channel=" + channel + "&arch=amd64",
                ("{\"nodes\": [" + nodes + "], \"edges\": []}").getBytes(StandardCharsets.UTF_8));
    }

    /** Something else is there from now on. */
    void replace(String path, byte[] body) {
        contents.put(path, body);
    }

    /** Whether it answers nobody, from now on. */
    public void away(boolean on) {
        away = on;
    }

    /** What has this in its path is not given any more. */
    void lose(String part) {
        broken.add(part);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().toString();
            requests.add(path);
            if (away) {
                exchange.sendResponseHeaders(503, -1);
                return;
            }
            String wanted = authorization;
            if (wanted != null && !wanted.equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
                exchange.getResponseHeaders().add("WWW-Authenticate", "Basic realm=\"registry\"");
                exchange.sendResponseHeaders(401, -1);
                return;
            }
            if (exchange.getRequestMethod().equals("DELETE")) {
                exchange.sendResponseHeaders(delete(path), -1);
                return;
            }
            byte[] body = broken.stream().anyMatch(path::contains) ? null : contents.get(path);
            if (body == null) {
                exchange.sendResponseHeaders(404, -1);
                return;
            }
            exchange.sendResponseHeaders(200, body.length == 0 ? -1 : body.length);
            if (body.length > 0) {
                exchange.getResponseBody().write(body);
            }
        }
    }

    /** A layer with these files. */
    public static byte[] layer(Map<String, String> files) {
        ByteArrayOutputStream tar = new ByteArrayOutputStream();
        files.forEach((name, text) -> {
            byte[] content = text.getBytes(StandardCharsets.UTF_8);
            tar.writeBytes(head(name, content.length));
            tar.writeBytes(content);
            tar.writeBytes(new byte[(BLOCK - content.length % BLOCK) % BLOCK]);
        });
        tar.writeBytes(new byte[2 * BLOCK]);
        return tar.toByteArray();
    }

    private static byte[] head(String name, int size) {
        byte[] head = new byte[BLOCK];
        put(head, 0, name);
        put(head, 100, "0000644\0");
        put(head, 124, "%011o\0".formatted(size));
        put(head, 136, "00000000000\0");
        put(head, 148, "        ");
        head[156] = '0';
        put(head, 257, "ustar\00000");
        int sum = 0;
        for (byte b : head) {
            sum += b & 0xff;
        }
        put(head, 148, "%06o\0 ".formatted(sum));
        return head;
    }

    private static void put(byte[] head, int at, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(bytes, 0, head, at, bytes.length);
    }

    public static byte[] gzip(byte[] bytes) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    static String digest(byte[] bytes) {
        try {
            return "sha256:"
                    + HexFormat.of()
                            .formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Pushes an image.
     *
     * @param type its media type; empty to leave it out
     * @param layers from the bottom to the top
     * @return the digest of its manifest
     */
    public String push(String repository, String tag, String type, byte[]... layers) {
        List<String> entries = new ArrayList<>();
        for (byte[] layer : layers) {
            String digest = digest(layer);
            contents.put("/v2/" + repository + "/blobs/" + digest, layer);
            entries.add("{\"mediaType\": \"application/vnd.oci.image.layer.v1.tar+gzip\", \"digest\": \"" + digest
                    + "\", \"size\": " + layer.length + "}");
        }
        String config = digest(new byte[0]);
        return manifest(repository, tag, """
            {"schemaVersion": 2, %s"config": {"digest": "%s", "size": 0}, "layers": [%s]}
            """.formatted(
                        type.isEmpty() ? "" : "\"mediaType\": \"" + type + "\", ", config, String.join(", ", entries)));
    }

    /** Pushes a list of images: digests by architecture. */
    String pushList(String repository, String tag, String type, Map<String, String> images) {
        String entries = new LinkedHashMap<>(images)
                .entrySet().stream()
                        .map(image -> """
                            {"digest": "%s", "platform": {"os": "linux", "architecture": "%s"}}
                            """.formatted(image.getValue(), image.getKey()))
                        .collect(Collectors.joining(", "));
        return manifest(
                repository, tag, """
                    {"schemaVersion": 2, %s"manifests": [%s]}
                    """.formatted(type.isEmpty() ? "" : "\"mediaType\": \"" + type + "\", ", entries));
    }

    /** Puts a manifest there as it is. */
    String manifest(String repository, String tag, String json) {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        String digest = digest(bytes);
        contents.put("/v2/" + repository + "/manifests/" + tag, bytes);
        contents.put("/v2/" + repository + "/manifests/" + digest, bytes);
        return digest;
    }

    /** The file of a driver toolkit. */
    static Map<String, String> toolkit(String kernel, String realTime, String rhel) {
        return Map.of(
                "etc/driver-toolkit-release.json",
                "{\"KERNEL_VERSION\": \"%s\", \"RT_KERNEL_VERSION\": \"%s\", \"RHEL_VERSION\": \"%s\"}"
                        .formatted(kernel, realTime, rhel));
    }

    /** Pushes an image whose configuration has these labels; returns its name by digest. */
    String labelled(String repository, String tag, Map<String, String> labels) {
        String entries = labels.entrySet().stream()
                .map(label -> "\"" + label.getKey() + "\": \"" + label.getValue() + "\"")
                .collect(Collectors.joining(", "));
        byte[] config = ("{\"architecture\": \"amd64\", \"config\": {\"Labels\": {" + entries + "}}}")
                .getBytes(StandardCharsets.UTF_8);
        contents.put("/v2/" + repository + "/blobs/" + digest(config), config);
        String digest = manifest(repository, tag, """
            {"schemaVersion": 2, "config": {"digest": "%s", "size": %d},
             "layers": [{"digest": "%s", "size": 1}]}
            """.formatted(digest(config), config.length, digest(new byte[] {0})));
        return host() + "/" + repository + "@" + digest;
    }

    /** A release payload of OpenShift with a driver toolkit; returns the name of the image. */
    public String release(String version, String kernel, String realTime, String rhel) {
        return release(version, kernel, realTime, rhel, Map.of());
    }

    /** The same with more images, by the names that the release has for them. */
    String release(String version, String kernel, String realTime, String rhel, Map<String, String> more) {
        String toolkit =
                push("ocp/art", "toolkit-" + version, DOCKER_MANIFEST, gzip(layer(toolkit(kernel, realTime, rhel))));
        String others = more.entrySet().stream()
                .map(image -> "{\"name\": \"" + image.getKey()
                        + "\", \"from\": {\"kind\": \"DockerImage\", \"name\": \"" + image.getValue() + "\"}}, ")
                .collect(Collectors.joining());
        byte[] manifests = gzip(layer(Map.of(
                "release-manifests/release-metadata",
                "{\"kind\": \"cincinnati-metadata-v0\", \"version\": \"" + version + "\"}",
                "release-manifests/image-references",
                """
                {"kind": "ImageStream", "apiVersion": "image.openshift.io/v1", "metadata": {"name": "%s"},
                 "spec": {"tags": [%s
                   {"name": "cli", "from": {"kind": "DockerImage", "name": "%s/ocp/art@sha256:00"}},
                   {"name": "driver-toolkit", "from": {"kind": "DockerImage", "name": "%s/ocp/art@%s"}}]}}
                """.formatted(version, others, host(), host(), toolkit))));
        push("ocp/release", version, DOCKER_MANIFEST, gzip(layer(Map.of("usr/bin/x", "x"))), manifests);
        return host() + "/ocp/release:" + version;
    }

    @Override
    public void close() {
        server.stop(0);
        executor.shutdownNow();
    }
}
