package dev.sro.testkit.server;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.ObjectCodec;
import com.fasterxml.jackson.core.io.IOContext;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.events.ScalarEvent;

/** Reads YAML as the server does, by the rules of YAML 1.1: {@code y}, {@code no} and {@code On} are no texts. Stateless. */
final class GoYaml {
    private static final Set<String> TRUE = Set.of("y", "Y", "yes", "Yes", "YES", "on", "On", "ON");
    private static final Set<String> FALSE = Set.of("n", "N", "no", "No", "NO", "off", "Off", "OFF");
    /** How each of {@link #repeated} begins, which no path of a field does. */
    static final String LINE = "line ";

    /** A number of YAML 1.2 that is one here, too. */
    private static final Pattern OCTAL = Pattern.compile("[-+]?0o[0-7]+");

    private static final YAMLMapper MAPPER = new YAMLMapper(new Factory());

    private GoYaml() {}

    /** The tree; null or missing where there is nothing. */
    static @Nullable JsonNode read(byte[] yaml) throws IOException {
        return MAPPER.readTree(new StringReader(new String(yaml, StandardCharsets.UTF_8)));
    }

    /** Keys that a mapping has more than once, in the words of the server. */
    static List<String> repeated(byte[] yaml) throws IOException {
        List<String> found = new ArrayList<>();
        Deque<Set<String>> open = new ArrayDeque<>();
        try (JsonParser parser = MAPPER.createParser(new StringReader(new String(yaml, StandardCharsets.UTF_8)))) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token.isStructStart()) {
                    open.push(new HashSet<>());
                } else if (token.isStructEnd()) {
                    open.pop();
                } else if (token == JsonToken.FIELD_NAME
                        && !open.isEmpty()
                        && !open.element().add(parser.currentName())) {
                    found.add(LINE + parser.currentTokenLocation().getLineNr() + ": key \"" + parser.currentName()
                            + "\" already set in map");
                }
            }
        }
        return found;
    }

    private static final class Factory extends YAMLFactory {
        private static final long serialVersionUID = 1;

        @Override
        protected YAMLParser _createParser(Reader reader, IOContext context) {
            LoaderOptions options = _loaderOptions == null ? new LoaderOptions() : _loaderOptions;
            return new Words(context, _parserFeatures, _yamlParserFeatures, options, _objectCodec, reader);
        }
    }

    private static final class Words extends YAMLParser {
        Words(
                IOContext context,
                int features,
                int yamlFeatures,
                LoaderOptions options,
                ObjectCodec codec,
                Reader reader) {
            super(context, features, yamlFeatures, options, codec, reader);
        }

        private void octal(String text) {
            boolean negative = text.startsWith("-");
            _numberLong = Long.parseLong(text.replaceFirst("^[-+]?0o", ""), 8) * (negative ? -1 : 1);
            _numTypesValid = NR_LONG;
        }

        @Override
        protected JsonToken _decodeScalar(ScalarEvent scalar) throws IOException {
            JsonToken token = super._decodeScalar(scalar);
            boolean plain = scalar.getScalarStyle() == DumperOptions.ScalarStyle.PLAIN && scalar.getTag() == null;
            if (plain && token == JsonToken.VALUE_STRING) {
                if (TRUE.contains(scalar.getValue())) {
                    return JsonToken.VALUE_TRUE;
                }
                if (FALSE.contains(scalar.getValue())) {
                    return JsonToken.VALUE_FALSE;
                }
                if (OCTAL.matcher(scalar.getValue()).matches()) {
                    octal(scalar.getValue());
                    return JsonToken.VALUE_NUMBER_INT;
                }
            }
            return token;
        }
    }
}
