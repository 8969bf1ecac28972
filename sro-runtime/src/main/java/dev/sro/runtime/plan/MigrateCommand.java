package dev.sro.runtime.plan;

import dev.sro.runtime.DocumentForm;
import dev.sro.runtime.ExitCodes;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Converts special resources of earlier versions. */
@Command(
        name = "migrate",
        mixinStandardHelpOptions = true,
        description = {
            "Prints special resources of earlier versions (v1alpha1, and v1beta1 without spec.namespace) as those of",
            "today, and everything else in the file as it is. No cluster is asked, and nothing is written.",
            "",
            "Those of v1alpha1 served all recipes in their namespace; today there is one for each. With the ConfigMaps",
            "of the recipes in the file, each gets its own.",
            ""
        },
        footer = {
            "",
            "Exit codes: 0 everything is converted; 1 something could not be, and standard error says what and what to"
                    + " do;",
            "2 wrong arguments, or input that cannot be read or has nothing of an earlier version.",
            "",
            "Example:",
            "  kubectl get specialresources,configmaps -n NAMESPACE -o yaml | sro migrate - > special-resources.yaml"
        })
public final class MigrateCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "FILE", description = "YAML or JSON, with any objects; - for standard input.")
    private Path file = Path.of("-");

    @Mixin
    private DocumentForm form = new DocumentForm();

    /** Filled by the command line parser. */
    public MigrateCommand() {}

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        Migration migration = Migration.of(file, Document.read(file));
        out.print(form.write(migration.objects()));
        out.flush();
        migration.notes().forEach(note -> err.println("note: " + note));
        migration.lost().forEach(lost -> err.println("not converted: " + lost));
        return migration.lost().isEmpty() ? ExitCodes.OK : ExitCodes.FAILED;
    }
}
