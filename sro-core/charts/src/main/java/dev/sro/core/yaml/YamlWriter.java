package dev.sro.core.yaml;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.representer.StandardRepresenter;

/**
 * Writes objects as a person would: what names them first, texts of several lines as such. Reads the same with YAML 1.1, which
 * kubectl speaks, and with YAML 1.2. Stateless.
 */
public final class YamlWriter {

    private static final List<String> FIRST = List.of("apiVersion", "kind", "metadata");

    private static final List<String> FIRST_OF_METADATA = List.of("name", "namespace");

    private static final Pattern PLAIN = Pattern.compile("[a-zA-Z][\\w./-]*");

    /** No line is folded: a changed word should change one line. */
    private static final DumpSettings SETTINGS = DumpSettings.builder()
            .setDefaultFlowStyle(FlowStyle.BLOCK)
            .setWidth(1_000_000)
            .setMultiLineFlow(false)
            .build();

    private YamlWriter() {}

    /** The object as one document, without a separator before it. */
    public static String write(Map<String, ?> object) {
        Map<String, Object> ordered = ordered(object, FIRST);
        if (ordered.get("metadata") instanceof Map<?, ?> metadata) {
            ordered.put("metadata", ordered(metadata, FIRST_OF_METADATA));
        }
        return new Dump(SETTINGS, new Texts()).dumpToString(ordered);
    }

    private static Map<String, Object> ordered(Map<?, ?> map, List<String> first) {
        Map<String, Object> ordered = new LinkedHashMap<>();
        for (String key : first) {
            Object value = map.get(key);
            if (value != null) {
                ordered.put(key, value);
            }
        }
        map.forEach((key, value) -> ordered.putIfAbsent(String.valueOf(key), value));
        return ordered;
    }

    private static final class Texts extends StandardRepresenter {
        Texts() {
            super(SETTINGS);
            representers.put(String.class, data -> text((String) data));
        }

        private Node text(String text) {
            ScalarStyle style = ScalarStyle.DOUBLE_QUOTED;
            if (text.indexOf('\n') >= 0) {
                style = ScalarStyle.LITERAL;
            } else if (PLAIN.matcher(text).matches() && !PlainScalars.areNoText(text)) {
                style = ScalarStyle.PLAIN;
            }
            return representScalar(Tag.STR, text, style);
        }
    }
}
