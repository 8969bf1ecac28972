package dev.sro.core.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** Generated documents have the value that Kubernetes' own library gives them, or are refused as there. */
@EnabledIf(
        value = "dev.sro.core.yaml.RealYaml#isHere",
        disabledReason = "no yaml command here: run .ci/yaml/build.sh, or set SRO_YAML to the command")
class GoYamlTest {

    private static final ObjectMapper JSON = new ObjectMapper().enable(DeserializationFeature.USE_BIG_INTEGER_FOR_INTS);

    @TempDir
    private Path folder = Path.of("");

    @Test
    void twoThousandDocumentsAreReadAlike() throws IOException, InterruptedException {
        compare(Long.getLong("sro.yaml.seed", 1), Integer.getInteger("sro.yaml.count", 2_000));
    }

    @Test
    @Tag("slow")
    void aHundredThousandDocumentsAreReadAlike() throws IOException, InterruptedException {
        compare(1_000_000, 100_000);
    }

    private void compare(long first, int count) throws IOException, InterruptedException {
        List<byte[]> documents = new ArrayList<>();
        for (long seed = first; seed < first + count; seed++) {
            documents.add(YamlGenerator.document(seed));
        }
        List<String> answers = RealYaml.find().orElseThrow().read(documents, folder);
        List<String> differences = new ArrayList<>();
        int same = 0;
        for (int i = 0; i < count; i++) {
            String difference = difference(documents.get(i), answers.get(i));
            if (difference.isEmpty()) {
                same += answers.get(i).startsWith("+") ? 1 : 0;
            } else {
                differences.add("seed " + (first + i) + ": " + difference + "\n"
                        + new String(documents.get(i), StandardCharsets.UTF_8));
            }
        }
        assertThat(differences.subList(0, Math.min(Integer.getInteger("sro.yaml.shown", 20), differences.size())))
                .as(differences.size() + " of " + count + " differ")
                .isEmpty();
        // Otherwise it is the refusals alone that are compared.
        assertThat(same).isGreaterThan(count / 3);
    }

    private static String difference(byte[] document, String answer) throws JsonProcessingException {
        if (answer.equals("?")) {
            return "";
        }
        Object expected = answer.startsWith("+") ? JSON.readValue(answer.substring(1), Object.class) : null;
        String text;
        try {
            text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(document))
                    .toString();
        } catch (CharacterCodingException e) {
            return answer.startsWith("-") ? "" : "what is not UTF-8 is read by Go";
        }
        try {
            // Go takes the first of several documents, and whoever calls it splits them before.
            Object found = new YamlDocuments(text, twice -> {}).next();
            if (answer.startsWith("-")) {
                return "Go refuses it: " + answer + ", and here it is " + found;
            }
            return same(expected, found) ? "" : "it is " + answer + " for Go, and here " + found;
        } catch (YamlTree.InvalidTreeException e) {
            return answer.startsWith("-")
                    ? ""
                    : "it is " + answer + " for Go, and here refused in line " + e.line() + ": " + e.getMessage();
        }
    }

    private static boolean same(@Nullable Object one, @Nullable Object other) {
        if (one instanceof Map<?, ?> map && other instanceof Map<?, ?> there) {
            return map.keySet().equals(there.keySet())
                    && map.keySet().stream().allMatch(key -> same(map.get(key), there.get(key)));
        }
        if (one instanceof List<?> list && other instanceof List<?> there) {
            Iterator<?> items = there.iterator();
            return list.size() == there.size() && list.stream().allMatch(item -> same(item, items.next()));
        }
        if (one instanceof Number number && other instanceof Number there) {
            boolean whole = !(number instanceof Double) && !(there instanceof Double);
            return whole ? number.toString().equals(there.toString()) : number.doubleValue() == there.doubleValue();
        }
        return Objects.equals(one, other);
    }
}
