package dev.sro.runtime.imports;

import dev.sro.runtime.DocumentForm;
import dev.sro.runtime.ExitCodes;
import dev.sro.runtime.UnusableInputException;
import dev.sro.runtime.plan.Document;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Turns what other operators are asked for into special resources. */
@Command(
        name = "import",
        mixinStandardHelpOptions = true,
        description = {
            "Prints Modules of Kernel Module Management as special resources: the driver as it is, the device plugin as"
                    + " a recipe in a ConfigMap. No cluster is asked, and nothing is written.",
            ""
        },
        footer = {
            "",
            "Exit codes: 0 everything is converted; 1 something could not be, and standard error says what and what to"
                    + " do;",
            "2 wrong arguments, or input that cannot be read or has no Module.",
            "",
            "Example:",
            "  kubectl get modules.kmm.sigs.x-k8s.io -A -o yaml | sro import - > special-resources.yaml"
        })
public final class ImportCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "FILE",
            description = "YAML or JSON; objects that are no Modules are left out. - for standard input.")
    private Path file = Path.of("-");

    @Mixin
    private DocumentForm form = new DocumentForm();

    /** Filled by the command line parser. */
    public ImportCommand() {}

    @Override
    public Integer call() {
        List<KmmModule> modules = new ArrayList<>();
        for (Document document : Document.read(file)) {
            if (KmmModule.is(document.tree())) {
                modules.add(KmmModule.of(document.where(), document.tree()));
            }
        }
        if (modules.isEmpty()) {
            throw new UnusableInputException(
                    file.toString(), "has no Module of " + KmmModule.GROUP + "; name a file that has one");
        }
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        out.print(form.write(
                modules.stream().flatMap(module -> module.objects().stream()).toList()));
        out.flush();
        List<String> lost =
                modules.stream().flatMap(module -> module.lost().stream()).toList();
        modules.stream().flatMap(module -> module.notes().stream()).forEach(note -> err.println("note: " + note));
        lost.forEach(what -> err.println("not converted: " + what));
        return lost.isEmpty() ? ExitCodes.OK : ExitCodes.FAILED;
    }
}
