package dev.sro.runtime;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The option {@code -o} of a command whose answer is a text for people, or a tree for programs. Filled by the command line parser.
 */
public final class OutputForm {

    private enum Form {
        TEXT,
        /** A name that others have for the text. */
        TABLE,
        JSON,
        YAML;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "text (or table), json or yaml. Default: text.")
    private @Nullable Form form;

    /** What commands about slices called it first. */
    @Option(names = "--format", hidden = true)
    private @Nullable Form formerly;

    /** Text unless set. */
    public OutputForm() {}

    private Form form() {
        return form != null ? form : formerly != null ? formerly : Form.TEXT;
    }

    /** Whether a text is asked for. */
    public boolean isText() {
        return form() == Form.TEXT || form() == Form.TABLE;
    }

    /** Whether JSON is asked for. */
    public boolean isJson() {
        return form() == Form.JSON;
    }

    /**
     * A tree in the form that is asked for; not for text.
     *
     * @param tree maps, lists, values, and beans of Kubernetes and SRO
     */
    public String write(Object tree) {
        return switch (form()) {
            case JSON -> json(tree);
            case YAML -> yaml(tree);
            case TEXT, TABLE -> throw new IllegalStateException("a text is asked for");
        };
    }

    /**
     * Objects as {@code kubectl apply -f -} reads them, in the form that is asked for; not for text.
     *
     * @param objects Kubernetes objects as trees
     */
    public String objects(List<? extends Map<String, ?>> objects) {
        return switch (form()) {
            case JSON -> DocumentForm.list(objects);
            case YAML -> objects.stream().map(OutputForm::yaml).collect(Collectors.joining());
            case TEXT, TABLE -> throw new IllegalStateException("a text is asked for");
        };
    }

    /** Prints what is asked for; the other is not made. */
    public void print(Supplier<String> text, Supplier<?> tree) {
        PrintWriter out = spec.commandLine().getOut();
        out.print(isText() ? text.get() : write(tree.get()));
        out.flush();
    }

    /** A tree as JSON with a line for each value, and an end of line. */
    public static String json(Object tree) {
        return new KubernetesSerialization().convertValue(tree, JsonNode.class).toPrettyString() + "\n";
    }

    /** A tree as one document of YAML. */
    public static String yaml(Object tree) {
        return new KubernetesSerialization().asYaml(tree);
    }
}
