package dev.sro.testkit.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * The registry that a node of a {@link KubeletCluster} pulls from, under whatever registry's name an image is asked for. It holds what a
 * test puts into it and can be read only. Thread-safe.
 */
public final class ImageRegistry implements AutoCloseable {
    private static final String MANIFEST = "application/vnd.oci.image.manifest.v1+json";
    private static final String CONFIG = "application/vnd.oci.image.config.v1+json";
    private static final JsonMapper JSON = new JsonMapper();

    private final Path home;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool(work -> {
        Thread thread = new Thread(work, "image-registry");
        thread.setDaemon(true);
        return thread;
    });
    /** By digest. */
    private final Map<String, Path> blobs = new ConcurrentHashMap<>();
    /** Digests by repository and tag. */
    private final Map<String, String> tags = new ConcurrentHashMap<>();

    private ImageRegistry(Path home, HttpServer server) {
        this.home = home;
        this.server = server;
    }

    static ImageRegistry start(Path home) {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            ImageRegistry registry = new ImageRegistry(Files.createDirectories(home), server);
            server.createContext("/v2/", registry::answer);
            server.setExecutor(registry.threads);
            server.start();
            return registry;
        } catch (IOException e) {
            throw new UncheckedIOException("no registry", e);
        }
    }

    InetSocketAddress address() {
        return server.getAddress();
    }

    /**
     * Adds an image.
     *
     * @param archive as {@code docker save} writes it, with one image
     * @param name repository and tag without a registry, as {@code sro/operator:1}
     */
    public void add(Path archive, String name) {
        try {
            Path folder = Files.createTempDirectory(home, "image");
            RigProcess.run(
                    List.of("tar", "-xf", archive.toAbsolutePath().toString(), "-C", folder.toString()),
                    home,
                    "tar",
                    Duration.ofMinutes(2));
            JsonNode image =
                    JSON.readTree(folder.resolve("manifest.json").toFile()).path(0);
            ObjectNode manifest =
                    JSON.createObjectNode().put("schemaVersion", 2).put("mediaType", MANIFEST);
            manifest.set(
                    "config", blob(CONFIG, folder.resolve(image.path("Config").asText())));
            ArrayNode layers = manifest.putArray("layers");
            for (JsonNode layer : image.path("Layers")) {
                Path file = folder.resolve(layer.asText());
                layers.add(blob(layerType(file), file));
            }
            publish(folder, manifest, name);
        } catch (IOException e) {
            throw new UncheckedIOException("no image in " + archive, e);
        }
    }

    /**
     * Adds an image that is one program, which starts with it.
     *
     * @param program a file that needs no other one
     * @param name repository and tag without a registry
     * @param arguments those that it gets where a pod has none
     */
    public void addProgram(Path program, String name, String... arguments) {
        try {
            Path root = folder();
            String file = String.valueOf(program.getFileName());
            Files.copy(program, root.resolve(file));
            addLayer(layer(root), name, new StandIn(List.of("/" + file), List.of()), List.of(arguments));
        } catch (IOException e) {
            throw new UncheckedIOException("no image of " + program, e);
        }
    }

    /**
     * Gives an image that is here another name, too.
     *
     * @param name repository and tag without a registry
     * @param other likewise
     */
    public void tag(String name, String other) {
        String digest = digest(name);
        tags.put(other.substring(0, other.lastIndexOf(':')) + "@" + digest, digest);
        tags.put(other, digest);
    }

    /** A new one, which is there as long as the registry is. */
    Path folder() throws IOException {
        return Files.createTempDirectory(home, "image");
    }

    /** The files below a directory, which then belong to root. */
    Path layer(Path root) throws IOException {
        Path layer = folder().resolve("layer.tar");
        RigProcess.run(
                List.of(
                        "tar",
                        "--owner=0",
                        "--group=0",
                        "--mode=u+rwX,go+rX",
                        "-cf",
                        layer.toString(),
                        "-C",
                        root.toString(),
                        "."),
                home,
                "tar",
                Duration.ofMinutes(1));
        return layer;
    }

    /** Adds an image of one layer. */
    void addLayer(Path layer, String name, StandIn how, List<String> arguments) throws IOException {
        ObjectNode config = JSON.createObjectNode()
                .put("architecture", System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64")
                .put("os", "linux");
        ObjectNode start = config.putObject("config");
        ArrayNode program = start.putArray("Entrypoint");
        how.entry().forEach(program::add);
        ArrayNode environment = start.putArray("Env");
        how.environment().forEach(environment::add);
        ArrayNode given = start.putArray("Cmd");
        arguments.forEach(given::add);
        config.putObject("rootfs").put("type", "layers").putArray("diff_ids").add(digest(layer));
        Path folder = folder();
        Path written = folder.resolve("config.json");
        JSON.writeValue(written.toFile(), config);
        ObjectNode manifest = JSON.createObjectNode().put("schemaVersion", 2).put("mediaType", MANIFEST);
        manifest.set("config", blob(CONFIG, written));
        manifest.putArray("layers").add(blob(layerType(layer), layer));
        publish(folder, manifest, name);
    }

    private void publish(Path folder, ObjectNode manifest, String name) throws IOException {
        Path written = folder.resolve("oci-manifest.json");
        JSON.writeValue(written.toFile(), manifest);
        String digest = digest(written);
        blobs.put(digest, written);
        tags.put(name.substring(0, name.lastIndexOf(':')) + "@" + digest, digest);
        tags.put(name, digest);
    }

    private ObjectNode blob(String type, Path file) throws IOException {
        String digest = digest(file);
        blobs.put(digest, file);
        return JSON.createObjectNode()
                .put("mediaType", type)
                .put("digest", digest)
                .put("size", Files.size(file));
    }

    private static String layerType(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            boolean gzip = in.read() == 0x1f && in.read() == 0x8b;
            return "application/vnd.oci.image.layer.v1.tar" + (gzip ? "+gzip" : "");
        }
    }

    private static String digest(Path file) throws IOException {
        try {
            MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
            try (InputStream in = new DigestInputStream(Files.newInputStream(file), sha256)) {
                in.transferTo(OutputStream.nullOutputStream());
            }
            return "sha256:" + HexFormat.of().formatHex(sha256.digest());
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath().substring("/v2/".length());
            Path file = path.contains("/manifests/") ? manifest(path) : blobs.get(after(path, "/blobs/"));
            if (path.isEmpty()) {
                exchange.sendResponseHeaders(200, -1);
            } else if (file == null) {
                byte[] error = "{\"errors\":[{\"code\":\"NAME_UNKNOWN\"}]}".getBytes(StandardCharsets.UTF_8);
                boolean head = exchange.getRequestMethod().equals("HEAD");
                exchange.sendResponseHeaders(404, head ? -1 : error.length);
                if (!head) {
                    exchange.getResponseBody().write(error);
                }
            } else {
                exchange.getResponseHeaders()
                        .set("Content-Type", path.contains("/manifests/") ? MANIFEST : "application/octet-stream");
                exchange.getResponseHeaders().set("Docker-Content-Digest", digest(file));
                boolean head = exchange.getRequestMethod().equals("HEAD");
                exchange.getResponseHeaders().set("Content-Length", String.valueOf(Files.size(file)));
                exchange.sendResponseHeaders(200, head ? -1 : Files.size(file));
                if (!head) {
                    Files.copy(file, exchange.getResponseBody());
                }
            }
        }
    }

    private @Nullable Path manifest(String path) {
        String repository = path.substring(0, path.indexOf("/manifests/"));
        String wanted = after(path, "/manifests/");
        String digest = tags.get(repository + (wanted.startsWith("sha256:") ? "@" : ":") + wanted);
        return digest == null ? null : blobs.get(digest);
    }

    private static String after(String path, String mark) {
        int at = path.indexOf(mark);
        return at < 0 ? "" : path.substring(at + mark.length());
    }

    /** The digest of an image that is here, {@code sha256:…}. */
    public String digest(String name) {
        String known = tags.get(name);
        if (known == null) {
            throw new IllegalArgumentException("there is no image " + name + ", only " + tags.keySet());
        }
        return known;
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
