package dev.sro.runtime.slices;

import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Locale;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The option {@code -o} of the commands that ask a cluster. */
final class TreeForm {
    /** How it is printed. */
    enum Form {
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
            names = "-o",
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = "table, json or yaml. Default: ${DEFAULT-VALUE}.")
    private Form form = Form.TABLE;

    /** Prints what is asked for; the other is not made. */
    void print(Supplier<String> text, Supplier<?> tree) {
        spec.commandLine()
                .getOut()
                .print(
                        switch (form) {
                            case JSON -> Output.json(tree.get());
                            case YAML -> new KubernetesSerialization().asYaml(tree.get());
                            case TABLE -> text.get();
                        });
        spec.commandLine().getOut().flush();
    }
}
