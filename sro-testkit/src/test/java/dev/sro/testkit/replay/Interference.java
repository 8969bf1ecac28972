package dev.sro.testkit.replay;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * What others did between two steps while a case was recorded, and the scenario does not say. A line is {@code group/case step what |
 * why}; it happens before that recorded step, and before the silent ones before it. What: {@code controllers}, which get a moment to
 * work; {@code write}, something elsewhere in the cluster is written; {@code controllers+write}, one after the other; {@code write-later}, the same while the step runs; {@code nodes:N}, there are so many other nodes.
 */
final class Interference {
    private static final Duration MOMENT = Duration.ofMillis(500);
    /** Longer than the back-off of a Job. */
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private static final Duration LATER = Duration.ofMillis(1500);

    private final Map<String, Map<Integer, Consumer<Endpoint>>> byCase = new HashMap<>();
    private final List<String> nodes = new ArrayList<>();
    private int written;

    static Interference read() {
        Interference all = new Interference();
        try (InputStream in = Interference.class.getResourceAsStream("interference.txt")) {
            if (in == null) {
                throw new IllegalStateException("interference.txt is missing");
            }
            BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
            lines.lines().filter(l -> !l.isBlank() && !l.startsWith("#")).forEach(all::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return all;
    }

    private void add(String line) {
        String[] words = line.substring(0, line.indexOf(" | ")).split(" ");
        Consumer<Endpoint> what = words[2].startsWith("nodes:")
                ? server -> nodes(server, Integer.parseInt(words[2].substring("nodes:".length())))
                : switch (words[2]) {
                    case "controllers" -> server -> server.pass(MOMENT);
                    case "controllers+write" ->
                        server -> {
                            server.pass(PATIENCE);
                            write(server);
                        };
                    case "write" -> this::write;
                    case "write-later" -> this::writeLater;
                    default -> throw new IllegalStateException("unknown: " + line);
                };
        if (byCase.computeIfAbsent(words[0], c -> new TreeMap<>()).put(Integer.valueOf(words[1]), what) != null) {
            throw new IllegalStateException("twice: " + line);
        }
    }

    Map<Integer, Consumer<Endpoint>> before(String name) {
        return byCase.getOrDefault(name, Map.of());
    }

    Set<String> cases() {
        return byCase.keySet();
    }

    private void write(Endpoint server) {
        String name = "written-" + written++;
        post(server, "/api/v1/namespaces/default/configmaps", object(name));
    }

    /** While a watch is open, between its second and its third bookmark. */
    private void writeLater(Endpoint server) {
        Thread writer = new Thread(
                () -> {
                    Endpoint.sleep(LATER);
                    write(server);
                },
                "interference");
        writer.setDaemon(true);
        writer.start();
    }

    private static ObjectNode object(String name) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        object.putObject("metadata").put("name", name);
        return object;
    }

    /** Takes away what would disturb other cases. */
    void leave(Endpoint server) {
        nodes.forEach(name -> server.call(
                JsonNodeFactory.instance.objectNode().put("method", "DELETE").put("path", "/api/v1/nodes/" + name)));
        nodes.clear();
    }

    private void nodes(Endpoint server, int count) {
        for (int i = 0; i < count; i++) {
            String name = "other-" + written++;
            nodes.add(name);
            ObjectNode node = object(name);
            ObjectNode metadata = (ObjectNode) node.get("metadata");
            metadata.putObject("annotations").put("kwok.x-k8s.io/node", "fake");
            metadata.putObject("labels").put("pool", "others");
            ObjectNode resources = JsonNodeFactory.instance.objectNode();
            resources.put("cpu", "4").put("memory", "8Gi").put("pods", "110");
            ObjectNode status = node.putObject("status");
            status.set("capacity", resources);
            status.set("allocatable", resources);
            post(server, "/api/v1/nodes", node);
        }
        server.pass(Duration.ofSeconds(5));
    }

    private static void post(Endpoint server, String path, ObjectNode body) {
        ObjectNode request =
                JsonNodeFactory.instance.objectNode().put("method", "POST").put("path", path);
        request.set("body", body);
        int status = server.call(request).status();
        if (status != 201) {
            throw new AssertionError("cannot write " + path + ": " + status);
        }
    }
}
