package dev.sro.core.recipe.source;

import dev.sro.api.Problem;
import dev.sro.core.model.FileErrors;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.yaml.LenientYaml;
import dev.sro.core.yaml.YamlException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Numbered manifests in directories of the operator's file system, as recipes have them before a ConfigMap is made of them. Small
 * local files: they are read when somebody asks, at most once in ten seconds. Thread-safe.
 */
public final class StateDirectories {

    private static final Duration FRESH = Duration.ofSeconds(10);
    private static final int MAX_FILES = 1_000;
    private static final int MAX_BYTES = 4 << 20;
    private static final Pattern YAML = Pattern.compile("[^.].*\\.ya?ml");
    private static final Pattern NUMBERED = Pattern.compile("[0-9]{4}[-_].*\\.ya?ml");

    /** Where the recipes of 2020 keep what is patched into the ConfigMap; the first ones wrote it as YAML. */
    private static final List<Path> PATCHES = List.of(Path.of("config", "patch.json"), Path.of("config", "patch.yaml"));

    private record Reading(SourceAnswer<StateFileSet> answer, Instant until) {}

    private final Clock clock;
    private final Map<String, Reading> known = new ConcurrentHashMap<>();

    /**
     * @param clock the time
     */
    public StateDirectories(Clock clock) {
        this.clock = clock;
    }

    /**
     * The files of a directory, or of {@code manifests} in it; without numbered files those of the folders in it.
     *
     * @param url {@code file:///…}
     */
    public SourceAnswer<StateFileSet> read(String url) {
        Instant now = clock.instant();
        Reading before = known.get(url);
        if (before != null && now.isBefore(before.until)) {
            return before.answer;
        }
        SourceAnswer<StateFileSet> fresh = fresh(url);
        // The same object as long as nothing changes.
        SourceAnswer<StateFileSet> answer = before != null && before.answer.equals(fresh) ? before.answer : fresh;
        known.put(url, new Reading(answer, now.plus(FRESH)));
        return answer;
    }

    private static SourceAnswer<StateFileSet> fresh(String url) {
        Path root;
        try {
            root = Path.of(URI.create(url));
        } catch (IllegalArgumentException | FileSystemNotFoundException e) {
            return failed(
                    "\"" + url + "\" is not the address of a directory, such as file:///recipes: " + e.getMessage());
        }
        Path manifests = root.resolve("manifests");
        Path folder = Files.isDirectory(manifests) ? manifests : root;
        if (!Files.isDirectory(folder)) {
            return failed("there is no directory " + root);
        }
        try {
            SortedMap<String, String> files = files(folder);
            Map<String, Object> annotations = annotations(root);
            String hardware = ValueTrees.text(annotations, StateKeys.HARDWARE);
            return SourceAnswer.found(new StateFileSet(
                    "directory " + folder,
                    files,
                    ValueTrees.text(annotations, StateKeys.NODE_FEATURE),
                    hardware,
                    hardware.isEmpty(),
                    Map.of(),
                    List.of()));
        } catch (IOException | UncheckedIOException e) {
            return failed("directory " + folder + " cannot be read: " + FileErrors.text(e));
        } catch (YamlException e) {
            return failed(String.valueOf(e.getMessage()));
        }
    }

    private static SortedMap<String, String> files(Path folder) throws IOException {
        SortedMap<String, String> files = new TreeMap<>();
        List<Path> entries = list(folder);
        boolean numbered = entries.stream()
                .anyMatch(entry ->
                        NUMBERED.matcher(String.valueOf(entry.getFileName())).matches());
        int left = MAX_BYTES;
        for (Path entry : entries) {
            String name = String.valueOf(entry.getFileName());
            if (Files.isRegularFile(entry) && YAML.matcher(name).matches()) {
                left = put(files, numbered ? name : "/" + name, entry, left);
            } else if (!numbered && Files.isDirectory(entry) && !name.startsWith(".")) {
                for (Path file : list(entry)) {
                    String inside = String.valueOf(file.getFileName());
                    if (Files.isRegularFile(file) && YAML.matcher(inside).matches()) {
                        left = put(files, name + "/" + inside, file, left);
                    }
                }
            }
        }
        return files;
    }

    private static int put(SortedMap<String, String> files, String name, Path file, int left) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(left + 1);
            if (bytes.length > left || files.size() >= MAX_FILES) {
                throw new IOException("more than " + MAX_FILES + " files or " + MAX_BYTES + " bytes");
            }
            files.put(name, text(file, bytes));
            return left - bytes.length;
        }
    }

    private static String text(Path file, byte[] bytes) throws IOException {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new IOException(file + " is not UTF-8; save it as that", e);
        }
    }

    private static List<Path> list(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.sorted().toList();
        }
    }

    private static Map<String, Object> annotations(Path root) throws IOException {
        Optional<Path> found =
                PATCHES.stream().map(root::resolve).filter(Files::isRegularFile).findFirst();
        if (found.isEmpty()) {
            return Map.of();
        }
        Path patch = found.get();
        Map<String, Object> tree = LenientYaml.map(patch.toString(), Files.readString(patch));
        return ValueTrees.map(tree, "metadata", "annotations");
    }

    private static SourceAnswer<StateFileSet> failed(String why) {
        return SourceAnswer.failed(
                new Problem("RecipeNotFound", "spec.recipe.directory: " + why, Problem.Owner.USER, true));
    }
}
