package dev.sro.runtime;

import static dev.sro.runtime.HostileStrings.JSON;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.core.yaml.Yaml;
import dev.sro.runtime.waiting.WaitingNote;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Hostile strings in each file, each object of a cluster and each word that commands read: those of which {@link HostileStringsTest} has none.
 * {@code -Dsro.hostile.seeds=N} tries more.
 */
class HostileInputsTest {
    @TempDir
    private static Path folder = Path.of("");

    private static final Map<String, JsonNode> DOCUMENTS = new LinkedHashMap<>();

    private static int outputs;

    static Stream<Integer> seeds() {
        return HostileStrings.seeds();
    }

    private static JsonNode list(String yaml) {
        ArrayNode items = JSON.createArrayNode();
        Yaml.documents("yaml", yaml).forEach(document -> items.add(JSON.valueToTree(document)));
        if (items.size() == 1) {
            return items.get(0);
        }
        ObjectNode list = JSON.createObjectNode();
        list.put("apiVersion", "v1").put("kind", "List");
        list.set("items", items);
        return list;
    }

    @BeforeAll
    static void writeAll() throws IOException {
        Files.createDirectory(folder.resolve("plugins"));
        HostileFiles.documents().forEach((name, yaml) -> DOCUMENTS.put(name, list(yaml)));
        Cli published = Cli.run("slices", "publish", "--model", "A30-24GB", "--count", "2", "--node", "worker-1");
        DOCUMENTS.put("published.yaml", list(published.out()));
        for (Map.Entry<String, String> text : HostileFiles.TEXTS.entrySet()) {
            Files.writeString(folder.resolve(text.getKey()), text.getValue());
        }
        for (String name : DOCUMENTS.keySet()) {
            write(name, document(name));
        }
        Cli made = Cli.run(words("bundle", "@made", "--plugins", "@plugins", "--about", "@about.yaml"));
        assertThat(made.code()).as(made.err()).isZero();
        DOCUMENTS.put(HostileFiles.CSV, list(Files.readString(folder.resolve(HostileFiles.CSV))));
        Cli explained = Cli.run(words(
                "slices", "explain", "ml/big", "--from", "@published.yaml", "--from", "@waiting.yaml", "-o", "json"));
        DOCUMENTS.put("explained.json", JSON.readTree(explained.out()));
        write("explained.json", document("explained.json"));
    }

    private static JsonNode document(String name) {
        return requireNonNull(DOCUMENTS.get(name), name);
    }

    private static String[] words(String... words) {
        return arguments(new HostileFiles.Call(List.of(), List.of(words)), new Random(0));
    }

    private static void write(String name, JsonNode document) throws IOException {
        Files.writeString(folder.resolve(name), JSON.writeValueAsString(document));
        if (name.equals("explained.json")) {
            ObjectNode note = document.deepCopy();
            note.put("version", 1);
            ObjectNode claim = JSON.createObjectNode();
            claim.put("apiVersion", "resource.k8s.io/v1").put("kind", "ResourceClaim");
            claim.withObject("/metadata").put("name", "noted").put("namespace", "ml");
            claim.withObject("/metadata/annotations").put(WaitingNote.ANNOTATION, JSON.writeValueAsString(note));
            claim.withObject("/spec");
            write("noted.json", claim);
        }
    }

    /** The words of a call, with hostile ones where it says so. */
    private static String[] arguments(HostileFiles.Call call, Random random) {
        List<String> all = new ArrayList<>();
        for (String word : call.words()) {
            StringBuilder text = new StringBuilder();
            for (char letter : word.toCharArray()) {
                switch (letter) {
                    case '@' -> text.append(folder).append('/');
                    case '#' -> text.append(outputs++);
                    case '?' -> text.append(HostileStrings.anyWord(random));
                    default -> text.append(letter);
                }
            }
            all.add(text.toString());
        }
        return all.toArray(String[]::new);
    }

    private static String shown(Object text) {
        String all = String.valueOf(text);
        return all.length() > 6_000 ? all.substring(0, 6_000) + "..." : all;
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void files(int seed) throws IOException {
        List<String> bad = new ArrayList<>();
        Random random = new Random(seed);
        for (HostileFiles.Call call : HostileFiles.CALLS) {
            for (String file : call.files()) {
                String before = Files.readString(folder.resolve(file));
                String text = before;
                if (DOCUMENTS.containsKey(file)) {
                    JsonNode changed = HostileStrings.changed(document(file), random);
                    write(file, changed);
                    text = changed.toString();
                } else {
                    text = HostileFiles.changed(before, random);
                    Files.write(folder.resolve(file), text.getBytes(StandardCharsets.UTF_8));
                }
                try {
                tried(arguments(call, random), text);
                } catch (AssertionError e) { bad.add(call+"\n "+e.getMessage()); }
                if (DOCUMENTS.containsKey(file)) {
                    write(file, document(file));
                } else {
                    Files.writeString(folder.resolve(file), before);
                }
            }
            if (call.files().isEmpty()) {
                try {
                tried(arguments(call, random), "");
                } catch (AssertionError e) { bad.add(call+"\n "+e.getMessage()); }
            }
        }
        bad.forEach(one -> System.out.println("BAD " + SafeOutput.visible(one.length() > 6000 ? one.substring(0, 6000) : one)));
        assertThat(bad.size()).isZero();
    }

    private static void tried(String[] words, String text) {
        String what = String.join(" ", words) + " of " + text;
        String shown = what.length() > 2_000 ? what.substring(0, 2_000) + "..." : what;
        Cli cli;
        System.out.println("TRY " + System.currentTimeMillis() % 1000000 + " " + SafeOutput.oneLine(shown.substring(0, Math.min(shown.length(), 300))));
        try {
            cli = Cli.run(words);
        } catch (Throwable e) {
            throw new AssertionError(shown, e);
        }
        HostileStrings.isText(cli, shown);
    }
}
