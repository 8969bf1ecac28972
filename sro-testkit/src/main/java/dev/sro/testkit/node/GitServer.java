package dev.sro.testkit.node;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Repositories of git over HTTP as servers on the internet have them: what {@code git http-backend} says, with fetches of depth 1.
 * Machines reach it at {@link #url}. Thread-safe.
 */
public final class GitServer implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private final Path folder;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool(work -> {
        Thread thread = new Thread(work, "git-server");
        thread.setDaemon(true);
        return thread;
    });

    private GitServer(Path folder) throws IOException {
        this.folder = Files.createDirectories(folder);
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    static GitServer start(Path folder) {
        try {
            return new GitServer(folder);
        } catch (IOException e) {
            throw new UncheckedIOException("no git server in " + folder, e);
        }
    }

    /**
     * Makes a repository of one commit, on the branch {@code main}, or adds a commit to it.
     *
     * @param name of the repository, without {@code .git}
     * @param files by their path; what the repository has beside them is removed
     * @return its address for machines
     */
    public String publish(String name, Map<String, String> files) {
        Path bare = folder.resolve(name + ".git");
        Path work = folder.resolve(name + ".work");
        try {
            if (!Files.exists(bare)) {
                git(folder, "init", "-q", "--bare", "-b", "main", bare.toString());
                git(folder, "init", "-q", "-b", "main", work.toString());
            } else {
                git(work, "rm", "-rqf", ".");
            }
            for (Map.Entry<String, String> file : files.entrySet()) {
                Path path = work.resolve(file.getKey());
                Files.createDirectories(path.getParent());
                Files.writeString(path, file.getValue());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the repository " + name, e);
        }
        git(work, "add", "-A");
        git(work, "-c", "user.name=test", "-c", "user.email=test@example.com", "commit", "-q", "-m", "Sources");
        git(work, "push", "-q", bare.toString(), "main");
        return url(name);
    }

    /** A repository's address for machines. */
    public String url(String name) {
        return "http://" + NodeCluster.HOST + ":" + server.getAddress().getPort() + "/" + name + ".git";
    }

    private void git(Path where, String... arguments) {
        List<String> command = new ArrayList<>(List.of("git"));
        command.addAll(List.of(arguments));
        RigProcess.run(command, where, ".git-command", LIMIT);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            ProcessBuilder backend = new ProcessBuilder("git", "http-backend");
            backend.redirectError(ProcessBuilder.Redirect.DISCARD);
            Map<String, String> environment = backend.environment();
            environment.put("GIT_PROJECT_ROOT", folder.toString());
            environment.put("GIT_HTTP_EXPORT_ALL", "1");
            environment.put("GIT_CONFIG_COUNT", "1");
            environment.put("GIT_CONFIG_KEY_0", "safe.directory");
            environment.put("GIT_CONFIG_VALUE_0", "*");
            environment.put("PATH_INFO", exchange.getRequestURI().getPath());
            String query = exchange.getRequestURI().getRawQuery();
            environment.put("QUERY_STRING", query == null ? "" : query);
            environment.put("REQUEST_METHOD", exchange.getRequestMethod());
            environment.put("REMOTE_ADDR", "127.0.0.1");
            environment.put("CONTENT_LENGTH", String.valueOf(body.length));
            copyHeader(exchange, "Content-Type", environment, "CONTENT_TYPE");
            copyHeader(exchange, "Content-Encoding", environment, "HTTP_CONTENT_ENCODING");
            copyHeader(exchange, "Git-Protocol", environment, "GIT_PROTOCOL");
            Process process = backend.start();
            try (OutputStream in = process.getOutputStream()) {
                in.write(body);
            }
            try (InputStream out = new BufferedInputStream(process.getInputStream())) {
                pass(out, exchange);
            }
        }
    }

    private static void copyHeader(
            HttpExchange exchange, String header, Map<String, String> environment, String variable) {
        String value = exchange.getRequestHeaders().getFirst(header);
        if (value != null) {
            environment.put(variable, value);
        }
    }

    /** The answer of a CGI program: headers, of which one may be the status, an empty line, the body. */
    private static void pass(InputStream out, HttpExchange exchange) throws IOException {
        int status = 200;
        for (String line = line(out); !line.isEmpty(); line = line(out)) {
            String[] header = line.split(":", 2);
            if (header[0].equalsIgnoreCase("Status")) {
                status = Integer.parseInt(header[1].trim().split(" ")[0]);
            } else if (header.length == 2) {
                exchange.getResponseHeaders().add(header[0], header[1].trim());
            }
        }
        byte[] body = out.readAllBytes();
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        if (body.length > 0) {
            exchange.getResponseBody().write(body);
        }
    }

    private static String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
            line.write(next);
        }
        return line.toString(StandardCharsets.ISO_8859_1).trim();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
