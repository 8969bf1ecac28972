package dev.sro.runtime.slices;

import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The option {@code --format} of the commands that print for people or for programs and nothing else. */
final class TextOrJson {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    private Format format = Format.TEXT;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "text",
            description = "text or json. Default: ${DEFAULT-VALUE}.")
    void format(Format chosen) {
        Output.allow(spec, chosen, Format.TEXT, Format.JSON);
        format = chosen;
    }

    /** Prints what is asked for; the other is not made. */
    void print(Supplier<String> text, Supplier<?> tree) {
        spec.commandLine().getOut().print(format == Format.JSON ? Output.json(tree.get()) : text.get());
        spec.commandLine().getOut().flush();
    }
}
