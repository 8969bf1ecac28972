package dev.sro.runtime;

import dev.sro.core.yaml.YamlWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Option;

/** The option {@code -o} of a command whose answer is objects to apply. Filled by the command line parser. */
public final class DocumentForm {

    private enum Form {
        YAML,
        JSON;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "yaml",
            description = "yaml, a document for each object, or json, a List. Default: ${DEFAULT-VALUE}.")
    private Form form = Form.YAML;

    /** YAML unless set. */
    public DocumentForm() {}

    /** Objects as {@code kubectl apply -f -} reads them. */
    public String write(List<? extends Map<String, ?>> objects) {
        if (form == Form.JSON) {
            return list(objects);
        }
        StringBuilder text = new StringBuilder();
        objects.forEach(object -> text.append("---\n").append(YamlWriter.write(object)));
        return text.toString();
    }

    /** Objects as one List in JSON. */
    public static String list(List<? extends Map<String, ?>> objects) {
        return OutputForm.json(Map.of("apiVersion", "v1", "kind", "List", "items", objects));
    }
}
