package dev.sro.core.placement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.yaml.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NodeNameListTest {
    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void aNameIsTheSameFromJsonAndFromText() {
        SplittableRandom random = new SplittableRandom(3);
        for (int round = 0; round < 300; round++) {
            List<String> names = new ArrayList<>();
            NodeNames known = new NodeNames();
            int count = 1 + random.nextInt(40);
            for (int i = 0; i < count; i++) {
                String name =
                        "n".repeat(random.nextInt(30)) + random.nextInt(1000) + (random.nextInt(9) == 0 ? "é" : "");
                names.add(name);
                known.add(name);
            }
            String before = " ".repeat(random.nextInt(9));
            byte[] text = bytes(before + "[\"" + String.join("\",\"", names) + "\"]" + " ".repeat(random.nextInt(9)));

            NodeNameList list = NodeNameList.read(text, before.length()).orElseThrow();

            assertThat(list.names()).isEqualTo(names);
            assertThat(text[list.end() - 1]).isEqualTo((byte) ']');
            for (int i = 0; i < names.size(); i++) {
                assertThat(known.of(list, i)).isEqualTo(known.of(names.get(i))).isNotEqualTo(NodeNames.NONE);
                assertThat(known.of(NodeNameList.of(List.of(names.get(i) + "x")), 0))
                        .isEqualTo(known.of(names.get(i) + "x"));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[",
                "[\"a\"",
                "[\"a\",",
                "[\"a\",\"b",
                "[\"a\" ,\"b\"]",
                "[ \"a\"]",
                "[\"a\\u0062\"]",
                "[\"a\tb\"]",
                "[7]",
                "[null]",
                "[\"a\";\"b\"]",
                "{\"a\":1}"
            })
    void anArrayThatGoDoesNotWriteIsLeftToAnother(String text) {
        assertThat(NodeNameList.read(bytes(text), 0)).isEmpty();
    }

    @Test
    void noNamesAreAList() {
        NodeNameList none = NodeNameList.read(bytes("x[]y"), 1).orElseThrow();

        assertThat(none.size()).isZero();
        assertThat(none.end()).isEqualTo(3);
    }

    @Test
    void namesInJsonAreReadAsTheyWere() {
        List<String> odd = List.of("plain", "a\"b", "back\\slash", "tab\t", "ü");

        NodeNameList written = NodeNameList.of(odd).inJson();

        assertThat(written.names().stream().map(name -> String.valueOf(Json.read("\"" + name + "\""))))
                .containsExactlyElementsOf(odd);
        NodeNameList plain = NodeNameList.of(List.of("a", "b"));
        assertThat(plain.inJson()).isSameAs(plain);
    }
}
