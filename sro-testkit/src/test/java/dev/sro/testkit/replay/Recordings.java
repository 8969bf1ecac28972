package dev.sro.testkit.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The folder of recordings, and how one compares with it. */
final class Recordings {
    /** Names of ReplicaSets in messages: the hash in them is that of the recorded server's own memory layout. */
    private static final Pattern REPLICA_SET =
            Pattern.compile("((?:ReplicaSet|replica set) \\\\?\"[a-z-]+-)[a-z0-9]{8,10}(\\\\?\")");

    /** Several errors of a custom resource: the server goes through its schema in the random order of a Go map. */
    private static final Pattern CUSTOM_ERRORS =
            Pattern.compile("([A-Za-z]+\\.[^ ]*\\.example\\.com \"[^\"]*\" is invalid: )\\[(.*)]", Pattern.DOTALL);

    private final Path folder;

    private Recordings(Path folder) {
        this.folder = folder;
    }

    /** Whether there are recordings on this machine. */
    static boolean areHere() {
        return find().isPresent();
    }

    /** Where {@code sro.apiserver.cases} or SRO_APISERVER_CASES say, or in the shared folder beside the checkout. */
    static Optional<Recordings> find() {
        String given = System.getProperty("sro.apiserver.cases", System.getenv("SRO_APISERVER_CASES"));
        List<Path> places = new ArrayList<>();
        if (given != null && !given.isEmpty()) {
            places.add(Path.of(given));
        } else {
            Path module = Path.of("").toAbsolutePath();
            for (Path at = module; at != null; at = at.getParent()) {
                if (Files.exists(at.resolve(".git"))) {
                    places.add(at.resolveSibling("shared").resolve("facts").resolve("apiserver"));
                }
            }
        }
        return places.stream()
                .filter(p -> Files.isDirectory(p.resolve("cases")) && Files.isDirectory(p.resolve("scenarios")))
                .findFirst()
                .map(Recordings::new);
    }

    List<String> groups() {
        try (Stream<Path> files = Files.list(folder.resolve("cases"))) {
            return files.map(f -> f.getFileName().toString())
                    .filter(f -> f.endsWith(".json"))
                    .map(f -> f.substring(0, f.length() - 5))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    JsonNode scenarios(String group) {
        return read("scenarios", group);
    }

    /** The recorded steps by case. */
    Map<String, JsonNode> cases(String group) {
        Map<String, JsonNode> cases = new HashMap<>();
        read("cases", group).path("cases").forEach(c -> cases.put(c.path("name").asText(), c.path("steps")));
        return cases;
    }

    private JsonNode read(String kind, String group) {
        try {
            return Endpoint.JSON.readTree(
                    folder.resolve(kind).resolve(group + ".json").toFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The steps that differ, with the first difference of each; steps whose recordings differ among themselves are left out. */
    static Map<Integer, String> differences(JsonNode recorded, JsonNode played) {
        Map<Integer, String> found = new java.util.TreeMap<>();
        for (int i = 0; i < recorded.size(); i++) {
            JsonNode step = recorded.get(i);
            if (!step.path("unstable").asBoolean()) {
                ObjectNode wanted = step.deepCopy();
                wanted.remove("alternative");
                String difference = difference("", wanted, played.get(i));
                if (difference != null) {
                    found.put(i, difference);
                }
            }
        }
        return found;
    }

    private static @Nullable String difference(String path, @Nullable JsonNode wanted, @Nullable JsonNode got) {
        if (wanted != null && got != null && wanted.isObject() && got.isObject()) {
            return ofObjects(path, wanted, got);
        }
        if (wanted != null && got != null && wanted.isArray() && got.isArray()) {
            for (int i = 0; i < Math.max(wanted.size(), got.size()); i++) {
                String difference = difference(path + "[" + i + "]", wanted.get(i), got.get(i));
                if (difference != null) {
                    return difference;
                }
            }
            return null;
        }
        boolean same = wanted != null && got != null && comparable(wanted).equals(comparable(got));
        if (same) {
            return null;
        }
        int from = Math.max(0, common(String.valueOf(wanted), String.valueOf(got)) - 80);
        return path + "\n    recorded " + shown(wanted, from) + "\n    played   " + shown(got, from);
    }

    private static @Nullable String ofObjects(String path, JsonNode wanted, JsonNode got) {
        List<String> names = new ArrayList<>();
        wanted.fieldNames().forEachRemaining(names::add);
        got.fieldNames().forEachRemaining(n -> {
            if (!wanted.has(n)) {
                names.add(n);
            }
        });
        if (wanted.has("priority") && wanted.has("format")) {
            // A column of a table; the documentation of its field is not offered.
            names.remove("description");
        }
        boolean custom = wanted.path("group").asText().endsWith(".example.com");
        for (String name : names) {
            boolean ofMap = custom && name.equals("causes");
            JsonNode theirs = ofMap ? sorted(wanted.path(name)) : wanted.get(name);
            JsonNode ours = ofMap ? sorted(got.path(name)) : got.get(name);
            String difference = difference(path + "." + name, theirs, ours);
            if (difference != null) {
                return difference;
            }
        }
        return null;
    }

    private static String comparable(JsonNode value) {
        if (!value.isTextual()) {
            return value.toString();
        }
        Matcher errors = CUSTOM_ERRORS.matcher(value.asText());
        if (errors.matches()) {
            List<String> all = new ArrayList<>(List.of(errors.group(2).split(", (?=spec[.\\[:])", -1)));
            Collections.sort(all);
            return "\"" + errors.group(1) + all;
        }
        return "\"" + REPLICA_SET.matcher(value.asText()).replaceAll("$1<hash>$2");
    }

    private static JsonNode sorted(JsonNode list) {
        List<JsonNode> items = new ArrayList<>();
        list.forEach(items::add);
        items.sort(Comparator.comparing(JsonNode::toString));
        return Endpoint.JSON.createArrayNode().addAll(items);
    }

    /** How much of two texts is the same. */
    private static int common(String a, String b) {
        int n = 0;
        while (n < Math.min(a.length(), b.length()) && a.charAt(n) == b.charAt(n)) {
            n++;
        }
        return n;
    }

    private static String shown(@Nullable JsonNode value, int from) {
        String text = value == null ? "nothing" : value.toString();
        String tail = from < text.length() && text.length() > 600 ? text.substring(from) : text;
        return tail.length() > 600 ? tail.substring(0, 600) + "..." : tail;
    }
}
