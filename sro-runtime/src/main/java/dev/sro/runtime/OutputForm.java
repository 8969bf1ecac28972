package dev.sro.runtime;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Locale;
import picocli.CommandLine.Option;

/** The option {@code -o} of a command whose answer is a text, or a tree for programs. Filled by the command line parser. */
public final class OutputForm {

    private enum Form {
        TEXT,
        JSON,
        YAML;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Option(
            names = "-o",
            paramLabel = "FORMAT",
            defaultValue = "text",
            description = "text, json or yaml. Default: ${DEFAULT-VALUE}.")
    private Form form = Form.TEXT;

    /** Text unless set. */
    public OutputForm() {}

    /** Whether a text is asked for. */
    public boolean isText() {
        return form == Form.TEXT;
    }

    /**
     * A tree in the form that is asked for; not for text.
     *
     * @param tree maps, lists and values
     */
    public String write(Object tree) {
        return switch (form) {
            case JSON -> json(tree) + "\n";
            case YAML -> new KubernetesSerialization().asYaml(tree);
            case TEXT -> throw new IllegalStateException("a text is asked for");
        };
    }

    private static String json(Object tree) {
        try {
            return new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(tree);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
