package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.fasterxml.jackson.dataformat.yaml.util.StringQuotingChecker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.regex.Pattern;

/** Trees as YAML, with fields in order and quotes where a text would be read as something else. Stateless. */
final class YamlText {
    private static final YAMLMapper MAPPER = YAMLMapper.builder(YAMLFactory.builder()
                    .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
                    .disable(YAMLGenerator.Feature.SPLIT_LINES)
                    .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
                    .enable(YAMLGenerator.Feature.LITERAL_BLOCK_STYLE)
                    .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
                    .stringQuotingChecker(new Times())
                    .build())
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .build();

    private YamlText() {}

    /** Times would be read as times. */
    private static final class Times extends StringQuotingChecker.Default {
        private static final long serialVersionUID = 1L;
        private static final Pattern TIME = Pattern.compile("[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt ].*)?");

        /** Of field names, the dot of owned fields is none that needs quotes. */
        @Override
        public boolean needToQuoteName(String name) {
            return !name.equals(".") && super.needToQuoteName(name);
        }

        @Override
        public boolean needToQuoteValue(String value) {
            return super.needToQuoteValue(value) || TIME.matcher(value).matches();
        }
    }

    static byte[] write(JsonNode tree) {
        try {
            return MAPPER.writeValueAsBytes(MAPPER.treeToValue(tree, Object.class));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
