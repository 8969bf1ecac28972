package dev.sro.plugins.nvidia;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** The fields of {@code spec.plugin.config}, from {@code config-fields.txt}. Immutable. */
final class ConfigFields {

    /** What each image has. */
    private static final List<Field> IMAGE = List.of(
            new Field("repository", "string", "", "of the image; the catalogue's without it"),
            new Field("image", "string", "", "name of the image, or all of its reference"),
            new Field("version", "string", "", "tag, or `sha256:` and a digest"),
            new Field("imagePullPolicy", "Always,IfNotPresent,Never", "IfNotPresent", ""),
            new Field("imagePullSecrets", "strings", "", "names of Secrets in the operand namespace"));

    /** What each operand has beside its image. */
    private static final List<Field> OPERAND = List.of(
            new Field("enabled", "boolean", "true", "whether it is deployed at all"),
            new Field("args", "strings", "", "arguments instead of the usual ones"),
            new Field(
                    "env",
                    "env",
                    "",
                    "environment variables beside the usual ones, or instead of those with the same name"),
            new Field("resources", "object", "", "requests and limits of the main container"),
            new Field("hostNetwork", "boolean", "false", "in the network of the node"));

    /** Those of this jar. */
    static final ConfigFields OWN = read(Resources.text("config-fields.txt"));

    /**
     * A field.
     *
     * @param path from the root, with dots
     * @param type a word of the file, or the values that are possible, with commas
     * @param standard its default as text; empty for none
     * @param meaning one line for people
     */
    record Field(String path, String type, String standard, String meaning) {
        Field in(String section) {
            return new Field(section + "." + path, type, standard, meaning);
        }
    }

    private final Map<String, Field> byPath;

    private ConfigFields(Map<String, Field> byPath) {
        this.byPath = byPath;
    }

    private static ConfigFields read(String text) {
        Map<String, Field> byPath = new LinkedHashMap<>();
        text.lines().filter(line -> !line.isBlank() && !line.startsWith("#")).forEach(line -> {
            if (line.startsWith("@")) {
                String section = line.substring(line.indexOf(' ') + 1).strip();
                IMAGE.forEach(field -> put(byPath, field.in(section)));
                if (line.startsWith("@operand")) {
                    OPERAND.forEach(field -> put(byPath, field.in(section)));
                }
            } else {
                String[] cells = line.split("\\|", -1);
                if (cells.length != 4) {
                    throw new IllegalStateException("config-fields.txt: \"" + line + "\" must have four cells");
                }
                put(byPath, new Field(cells[0].strip(), cells[1].strip(), cells[2].strip(), cells[3].strip()));
            }
        });
        return new ConfigFields(byPath);
    }

    /** A later line says more than what every operand has. */
    private static void put(Map<String, Field> byPath, Field field) {
        byPath.put(field.path(), field);
    }

    /** In the order of the file. */
    List<Field> all() {
        return List.copyOf(byPath.values());
    }

    Optional<Field> field(String path) {
        return Optional.ofNullable(byPath.get(path));
    }

    /** The field of this path, or the nearest one that it lies in, if that is refused as a whole. */
    Optional<Field> refused(String path) {
        for (String at = path; !at.isEmpty(); at = at.contains(".") ? at.substring(0, at.lastIndexOf('.')) : "") {
            Field field = byPath.get(at);
            if (field != null && field.type().equals("refused")) {
                return Optional.of(field);
            }
        }
        return Optional.empty();
    }

    /** Whether there are fields below this path. */
    boolean isSection(String path) {
        return byPath.keySet().stream().anyMatch(known -> known.startsWith(path + "."));
    }

    /** Names of what lies directly below a path; the empty path is the root. */
    SortedSet<String> below(String path) {
        String prefix = path.isEmpty() ? "" : path + ".";
        SortedSet<String> names = new TreeSet<>();
        byPath.keySet().stream()
                .filter(known -> known.startsWith(prefix))
                .forEach(known -> names.add(known.substring(prefix.length()).split("\\.", 2)[0]));
        return names;
    }

    /** The name below a path that looks most like this one, if any does. */
    Optional<String> similar(String path, String name) {
        String best = null;
        int least = Math.max(2, name.length() / 3) + 1;
        for (String known : below(path)) {
            int distance = distance(known.toLowerCase(Locale.ROOT), name.toLowerCase(Locale.ROOT));
            if (distance < least) {
                least = distance;
                best = known;
            }
        }
        return Optional.ofNullable(best);
    }

    /** Levenshtein's: letters to add, drop or replace. */
    private static int distance(String a, String b) {
        List<Integer> row = new ArrayList<>();
        for (int j = 0; j <= b.length(); j++) {
            row.add(j);
        }
        for (int i = 1; i <= a.length(); i++) {
            List<Integer> next = new ArrayList<>(List.of(i));
            for (int j = 1; j <= b.length(); j++) {
                int replaced = row.get(j - 1) + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                next.add(Math.min(replaced, Math.min(row.get(j), next.get(j - 1)) + 1));
            }
            row = next;
        }
        return row.get(b.length());
    }
}
