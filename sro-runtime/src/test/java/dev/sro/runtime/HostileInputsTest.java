package dev.sro.runtime;

import static dev.sro.runtime.HostileStrings.JSON;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.management.ThreadMXBean;
import dev.sro.runtime.waiting.WaitingNote;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
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

    private static final int EVERY = 8;

    private static final long MOST_BYTES = 2_000;

    /** Commands that are not tried, with the reason. */
    private static final Map<String, String> UNTRIED = Map.of(
            "sro crd", "reads nothing and has no word that is not one of a list",
            "sro demo", "reads plugins alone, by the code of sro plugins",
            "sro dev", "is tried where it is, in HostileDevTest",
            "sro generate-completion", "picocli's own: reads nothing",
            "sro install-artifacts", "reads the archive that it is part of",
            "sro new", "is tried where it is, in HostileDevTest",
            "sro operator",
                    "runs until it is stopped; what it logs and writes is tried by the hostile tests of engine and log",
            "sro slices allocator",
                    "runs until it is stopped; its events are texts of the explanations that are tried here",
            "sro slices explainer",
                    "runs until it is stopped; its notes are tried by sro slices verify, its words by explain",
            "sro slices scheduler", "runs until it is stopped; its inputs are the API server's");

    private static final AtomicInteger OUTPUTS = new AtomicInteger();

    static Stream<Integer> seeds() {
        return HostileStrings.seeds();
    }

    @BeforeAll
    static void writeAll() throws IOException {
        Files.createDirectory(folder.resolve("plugins"));
        HostileFiles.documents().forEach((name, yaml) -> DOCUMENTS.put(name, HostileFiles.list(yaml)));
        Cli published = Cli.run("slices", "publish", "--model", "A30-24GB", "--count", "2", "--node", "worker-1");
        DOCUMENTS.put("published.yaml", HostileFiles.list(published.out()));
        for (Map.Entry<String, String> text : HostileFiles.TEXTS.entrySet()) {
            Files.writeString(folder.resolve(text.getKey()), text.getValue());
        }
        for (String name : DOCUMENTS.keySet()) {
            write(name, document(name));
        }
        Cli made = Cli.run(words("bundle", "@made", "--plugins", "@plugins", "--about", "@about.yaml"));
        assertThat(made.code()).as(made.err()).isZero();
        DOCUMENTS.put(HostileFiles.CSV, HostileFiles.list(Files.readString(folder.resolve(HostileFiles.CSV))));
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
            for (int i = 0; i < word.length(); i++) {
                char letter = word.charAt(i);
                switch (letter) {
                    case '@' -> text.append(folder).append('/');
                    case '#' -> text.append(OUTPUTS.getAndIncrement());
                    case '?' -> text.append(HostileStrings.anyWord(random));
                    default -> text.append(letter);
                }
            }
            all.add(text.toString());
        }
        return all.toArray(String[]::new);
    }

    /** Each seed has some of the calls, so that forty are soon done and have each call five times. */
    @ParameterizedTest
    @MethodSource("seeds")
    void files(int seed) throws IOException {
        Random random = new Random(seed);
        for (int i = seed % EVERY; i < HostileFiles.CALLS.size(); i += EVERY) {
            HostileFiles.Call call = HostileFiles.CALLS.get(i);
            if (call.files().isEmpty()) {
                tried(arguments(call, random), "");
                continue;
            }
            String file = call.files().get(random.nextInt(call.files().size()));
            String before = Files.readString(folder.resolve(file));
            String text;
            if (DOCUMENTS.containsKey(file)) {
                JsonNode changed = HostileStrings.changed(document(file), random);
                write(file, changed);
                text = changed.toString();
            } else {
                text = HostileFiles.changed(before, random);
                Files.write(folder.resolve(file), text.getBytes(StandardCharsets.UTF_8));
            }
            tried(arguments(call, random), text);
            Files.writeString(folder.resolve(file), before);
            if (DOCUMENTS.containsKey(file)) {
                write(file, document(file));
            }
        }
    }

    private static void tried(String[] words, String text) {
        String what = String.join(" ", words) + " of " + text;
        HostileStrings.isText(Cli.run(words), what.length() > 3_000 ? what.substring(0, 3_000) + "..." : what);
    }

    /** Without a word that is hostile each call does what it is for, or nothing would be proved. */
    @Test
    void callsAreThoseThatPeopleMake() {
        for (HostileFiles.Call call : HostileFiles.CALLS) {
            if (call.words().stream().noneMatch(word -> word.contains("?"))) {
                String[] words = arguments(call, new Random(0));
                Cli cli = Cli.run(words);
                assertThat(cli.code())
                        .as(String.join(" ", words) + "\n" + cli.err())
                        .isLessThan(ExitCodes.USAGE);
            }
        }
    }

    /** Bytes that are allocated for each letter of a long word, at most: many copies of it, and not one for each of its letters. */
    @Test
    void longWordsCostWhatTheirLengthDoes() throws IOException {
        Random random = new Random(Integer.getInteger("sro.hostile.seeds", 40));
        Set<String> seen = new TreeSet<>();
        for (HostileFiles.Call call : HostileFiles.CALLS) {
            for (String file : call.files()) {
                if (DOCUMENTS.containsKey(file) && seen.add(call.command() + " " + file)) {
                    JsonNode document = document(file);
                    List<String> places =
                            List.copyOf(HostileStrings.places(document).keySet());
                    for (int i = 0; i < 3; i++) {
                        String place = places.get(random.nextInt(places.size()));
                        String[] words = arguments(call, random);
                        long some = allocated(file, place, HostileStrings.LONG / 10, words);
                        long more = allocated(file, place, HostileStrings.LONG, words);
                        assertThat(more - some)
                                .as("%s with a long word at %s of %s", call.words(), place, file)
                                .isLessThan(MOST_BYTES * HostileStrings.LONG);
                    }
                    write(file, document);
                }
            }
        }
    }

    /** Two of them that differ in a letter would cost the product of their lengths, were they compared by letters. */
    @Test
    void aLongWordIsNotComparedWithEachLetterOfAnother() throws IOException {
        String[] words = words(
                "slices", "pack", "--catalogue", "@tiles.yaml", "--model", "Tile-9000", "--requests", "@tilesreq.yaml");
        String one = "a".repeat(HostileStrings.LONG);
        Files.writeString(
                folder.resolve("tiles.yaml"), document("tiles.yaml").toString().replace("half", one));
        Files.writeString(
                folder.resolve("tilesreq.yaml"),
                document("tilesreq.yaml").toString().replace("half", one + "b"));

        long bytes = bytes(words);

        assertThat(Cli.run(words).err()).contains("has no profile aaa");
        assertThat(bytes).isLessThan(MOST_BYTES * HostileStrings.LONG);
        write("tiles.yaml", document("tiles.yaml"));
        write("tilesreq.yaml", document("tilesreq.yaml"));
    }

    private static long allocated(String file, String place, int letters, String[] words) throws IOException {
        JsonNode changed = document(file).deepCopy();
        requireNonNull(HostileStrings.places(changed).get(place)).get(0).accept("a".repeat(letters));
        write(file, changed);
        return bytes(words);
    }

    private static long bytes(String[] words) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        HostileStrings.isText(Cli.run(words), String.join(" ", words));
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    @Test
    void noCommandIsForgotten() {
        Set<String> tried = new TreeSet<>(HostileStringsTest.COMMANDS);
        tried.addAll(HostileClusterTest.COMMANDS);
        HostileFiles.CALLS.forEach(call -> tried.add(call.command()));
        Set<String> all = new TreeSet<>();
        CommandTree.leaves().forEach(leaf -> all.add(leaf.getCommandSpec().qualifiedName()));
        all.removeIf(name -> name.endsWith(" help"));

        assertThat(tried).doesNotContainAnyElementsOf(UNTRIED.keySet());
        tried.addAll(UNTRIED.keySet());
        assertThat(tried).containsExactlyInAnyOrderElementsOf(all);
    }

    /** In place of a plugin, in its manifest and in the name of its file. */
    @Test
    void pluginsOfOthers() throws IOException {
        for (int seed = 0; seed < HostileStrings.ALL.size(); seed++) {
            Path plugins = Files.createDirectory(folder.resolve("others-" + seed));
            String hostile = HostileStrings.ALL.get(seed);
            String value = hostile.replace("\r\n", "\n").replace("\n", "\n ").replace("\0", "");
            String manifest = "Manifest-Version: 1.0\n";
            for (String name : List.of("Plugin-Id", "Plugin-Version", "Plugin-Requires", "Plugin-Dependencies")) {
                manifest += name + ": " + (name.equals("Plugin-Id") == (seed % 2 == 0) ? value : "1.0.0") + "\n";
            }
            String name = hostile.replaceAll("[/\\x00\ud800-\udfff]", "");
            Path file = plugins.resolve(name.substring(0, Math.min(name.length(), 60)) + ".jar");
            try (ZipOutputStream jar = new ZipOutputStream(Files.newOutputStream(file))) {
                jar.putNextEntry(new ZipEntry("META-INF/MANIFEST.MF"));
                jar.write((manifest + "\n").getBytes(StandardCharsets.UTF_8));
                jar.putNextEntry(new ZipEntry("META-INF/services/dev.sro.api.AcceleratorPlugin"));
                jar.write((value + "\n").getBytes(StandardCharsets.UTF_8));
            }
            for (String[] words : List.of(
                    words("plugins", "-o", "text", "--plugins", "@others-" + seed),
                    words("plugins", "-o", "json", "--plugins", "@others-" + seed),
                    words("plugins", "--sha256", "--plugins", "@others-" + seed),
                    words("plugins", "--images", "--plugins", "@others-" + seed),
                    words("rbac", "--plugins", "@others-" + seed),
                    words("bundle", "@b-" + seed, "--plugins", "@others-" + seed),
                    words("manifests", "@m-" + seed, "--plugins", "@others-" + seed))) {
                tried(words, value);
            }
        }
    }
}
