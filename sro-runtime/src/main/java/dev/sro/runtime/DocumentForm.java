package dev.sro.runtime;

import dev.sro.core.yaml.YamlWriter;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/**
 * The option {@code -o} of a command whose answer is objects to apply: what a person reads of them is YAML, so that {@code text} and
 * {@code table}, which all commands know, are YAML here. Filled by the command line parser.
 */
public final class DocumentForm {

    private enum Form {
        TEXT,
        TABLE,
        JSON,
        YAML;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "yaml",
            description =
                    "yaml (or text, or table), a document for each object, or json, a List. Default: ${DEFAULT-VALUE}.")
    private Form form = Form.YAML;

    /** YAML unless set. */
    public DocumentForm() {}

    /** Whether a List in JSON is asked for; otherwise it is documents in YAML. */
    public boolean isJson() {
        return form == Form.JSON;
    }

    /** Objects as {@code kubectl apply -f -} reads them. */
    public String write(List<? extends Map<String, ?>> objects) {
        if (isJson()) {
            return list(objects);
        }
        StringBuilder text = new StringBuilder();
        objects.forEach(object -> text.append("---\n").append(YamlWriter.write(object)));
        return text.toString();
    }

    /** The same of beans of Kubernetes. */
    public String writeBeans(List<?> objects) {
        return isJson()
                ? list(objects)
                : objects.stream().map(new KubernetesSerialization()::asYaml).collect(Collectors.joining());
    }

    /** Objects as one List in JSON. */
    public static String list(List<?> objects) {
        return OutputForm.json(Map.of("apiVersion", "v1", "kind", "List", "items", objects));
    }
}
