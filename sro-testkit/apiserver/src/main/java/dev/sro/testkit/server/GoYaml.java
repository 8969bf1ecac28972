package dev.sro.testkit.server;

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
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.events.ScalarEvent;

/** Reads YAML as the server does, by the rules of YAML 1.1: {@code y}, {@code no} and {@code On} are no texts. Stateless. */
final class GoYaml {
    private static final Set<String> TRUE = Set.of("y", "Y", "yes", "Yes", "YES", "on", "On", "ON");
    private static final Set<String> FALSE = Set.of("n", "N", "no", "No", "NO", "off", "Off", "OFF");
    private static final YAMLMapper MAPPER = new YAMLMapper(new Factory());

    private GoYaml() {}

    /** The tree; null or missing where there is nothing. */
    static @Nullable JsonNode read(byte[] yaml) throws IOException {
        return MAPPER.readTree(new StringReader(new String(yaml, StandardCharsets.UTF_8)));
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
            }
            return token;
        }
    }
}
