package dev.sro.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Strings that were written to do harm, the places of a document where they may stand, and who judges what came of them. Stateless. */
final class HostileStrings {
    /** What stands behind an end of a line in {@link #ALL}: if a line begins with it, who wrote the string has written that line. */
    static final String FORGED = "FORGED all is well";

    /** Letters of a word that is longer than any name. */
    static final int LONG = 30_000;

    /** In no order. */
    static final List<String> ALL = List.of(
            "\u001b]0;all is well\u0007",
            "\u001b[2J\u001b[1;1Hall is well",
            "\u001b[8mhidden\u001b[0m",
            "\u009b31mred",
            "first\rall is well",
            "first\n" + FORGED + "\n",
            "first\r\n" + FORGED,
            "first\n  " + FORGED + "\u0085\u000b\u000c",
            "sro: \n" + FORGED + ": ready\n\n",
            "%s%n%1$99999999d",
            "${jndi:ldap://127.0.0.1/x}${env:HOME}",
            "{{ print \"exec\" \"uted\" }}{{ .Values.none.none }}",
            "$(touch /tmp/owned)`touch /tmp/owned`",
            "'; drop: [\"}",
            "--- !!java/object\n" + FORGED + ": &a [*a]",
            "<script>alert(1)</script>]]>&x;\"'",
            "| a | b |\n" + FORGED + " |\n[x](javascript:y)",
            "\u202egnp.exe\u2028\u2029\u2066",
            "\ud800",
            "\udc00\ud800",
            "\u0000",
            "a".repeat(LONG),
            "a".repeat(LONG - 1) + "b",
            "a ".repeat(LONG / 2),
            "(".repeat(3_000),
            "[".repeat(3_000),
            "../../../../etc/passwd",
            "",
            " ",
            "-1",
            "1e99999999",
            "1E400",
            "99999999999999999999999",
            "0x10",
            "NaN",
            "1.5Gi",
            "true",
            "-o json --kubeconfig /etc/passwd");

    /** Reads documents, and writes any string so that it stays the same. */
    static final ObjectMapper JSON =
            JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    /** More than any answer to one of these inputs may have. */
    private static final int MOST_OUTPUT = 100 * LONG;

    private static final Pattern TRACE = Pattern.compile(
            "this is a defect of sro|\\tat [a-z]|[a-z]\\.[A-Z][A-Za-z]{0,60}Exception\\b|\\$\\$Lambda|StackOverflow|OutOfMemory");

    private HostileStrings() {}

    /** {@code -Dsro.hostile.seeds=N} tries more. */
    static Stream<Integer> seeds() {
        return IntStream.range(0, Integer.getInteger("sro.hostile.seeds", 40)).boxed();
    }

    /** One of them. */
    static String any(Random random) {
        return ALL.get(random.nextInt(ALL.size()));
    }

    /** One of them that a parser of command lines takes for a value. */
    static String anyWord(Random random) {
        String word = any(random);
        return word.startsWith("-o ") ? word.substring(1) : word;
    }

    /** Nothing but text, no line of somebody else, no trace of Java, and no defect. */
    static void isText(Cli cli, Object what) {
        String all = cli.out() + "\n" + cli.err();
        assertThat(all.chars()
                        .filter(one -> Character.isISOControl(one) && one != '\n' && one != '\t')
                        .mapToObj(Integer::toHexString)
                        .distinct()
                        .toList())
                .as("control characters printed by %s", what)
                .isEmpty();
        assertThat(all.lines().filter(line -> line.startsWith(FORGED)))
                .as("lines that %s lets others write", what)
                .isEmpty();
        assertThat(all).as("%s", what).doesNotContainPattern(TRACE).doesNotContain("executed");
        assertThat(all)
                .as("the command is asked as it is meant: %s", what)
                .doesNotContain(
                        "Unknown option",
                        "Unmatched argument",
                        "Missing required",
                        "Invalid value for",
                        "Expected parameter",
                        "Usage: ");
        assertThat(cli.code()).as("%s", what).isBetween(ExitCodes.OK, ExitCodes.USAGE);
        assertThat(all.length()).as("output of %s", what).isLessThan(MOST_OUTPUT);
        assertThat(Path.of("/tmp/owned")).doesNotExist();
    }

    /** All places of a document where a string, a number or a truth value stands, or a name of a field, by what they are. */
    static Map<String, List<Consumer<String>>> places(JsonNode node) {
        Map<String, List<Consumer<String>>> found = new TreeMap<>();
        places(node, "", found);
        return found;
    }

    private static void places(JsonNode node, String path, Map<String, List<Consumer<String>>> found) {
        if (node instanceof ObjectNode object) {
            object.fieldNames().forEachRemaining(name -> {
                String own = path + "." + name;
                add(found, path + ".", value -> object.set(value, object.remove(name)));
                if (object.get(name).isValueNode()) {
                    add(found, own, value -> object.put(name, value));
                } else {
                    places(object.get(name), own, found);
                }
            });
        } else if (node instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                int index = i;
                if (array.get(i).isValueNode()) {
                    add(
                            found,
                            path + "[]",
                            value -> array.set(index, JSON.getNodeFactory().textNode(value)));
                } else {
                    places(array.get(i), path + "[]", found);
                }
            }
        }
    }

    private static void add(Map<String, List<Consumer<String>>> found, String what, Consumer<String> place) {
        found.computeIfAbsent(what, none -> new ArrayList<>()).add(place);
    }

    /** The same document with one to four of its places changed, each kind of place as likely as another. */
    static JsonNode changed(JsonNode document, Random random) {
        JsonNode changed = document.deepCopy();
        for (int i = random.nextInt(4); i >= 0; i--) {
            List<List<Consumer<String>>> places = List.copyOf(places(changed).values());
            List<Consumer<String>> alike = places.get(random.nextInt(places.size()));
            alike.get(random.nextInt(alike.size())).accept(any(random));
        }
        return changed;
    }
}
