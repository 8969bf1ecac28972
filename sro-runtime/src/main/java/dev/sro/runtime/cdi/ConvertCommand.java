package dev.sro.runtime.cdi;

import dev.sro.api.device.Decoration;
import dev.sro.core.cdi.CdiFiles;
import dev.sro.core.cdi.Decorations;
import dev.sro.core.cdi.DecoratorFile;
import dev.sro.core.cdi.DecoratorFileException;
import dev.sro.core.cdi.OciHookFiles;
import dev.sro.core.model.FileErrors;
import dev.sro.runtime.ExitCodes;
import dev.sro.runtime.UnusableInputException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Converts the configuration of an OCI decorator. */
@Command(
        name = "convert",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Converts the configuration of an OCI decorator (oci-decorator, oci-injector-hook, or SRO's own form, in"
                    + " JSON or YAML) into a specification of the Container Device Interface."
        },
        footer = {"", "Exit codes: 0 printed; 2 wrong arguments, or a file that cannot be used."})
final class ConvertCommand implements Callable<Integer> {

    /** What is printed. */
    enum Target {
        /** The specification. */
        CDI,
        /** The entry of a hooks directory. */
        HOOK,
        /** The configuration of the hook. */
        INJECTOR
    }

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "FILE", description = "The configuration; - for standard input.")
    private String file = "";

    @Option(
            names = "--kind",
            paramLabel = "VENDOR/CLASS",
            description = "Kind of the device, as vendor.example/class. Needed for forms that have no field for it.")
    private @Nullable String kind;

    @Option(
            names = "--device",
            paramLabel = "NAME",
            defaultValue = "all",
            description = "Name of the device, where the file says none. Default: ${DEFAULT-VALUE}.")
    private String device = "all";

    @Option(
            names = "--ldconfig",
            paramLabel = "PATH",
            defaultValue = "/sbin/ldconfig",
            description = "Renews the cache of the linker in containers that get libraries; empty for none."
                    + " Default: ${DEFAULT-VALUE}.")
    private String ldconfig = "";

    @Option(
            names = "--to",
            paramLabel = "WHAT",
            defaultValue = "cdi",
            description = "What to print: cdi, hook or injector. Default: ${DEFAULT-VALUE}.")
    private Target target = Target.CDI;

    ConvertCommand() {}

    @Override
    public Integer call() {
        String name = file.equals("-") ? "standard input" : file;
        Decoration decoration;
        try {
            decoration = DecoratorFile.read(
                            name,
                            text(),
                            new DecoratorFile.Defaults(
                                    Optional.ofNullable(kind),
                                    device,
                                    Optional.of(ldconfig).filter(path -> !path.isEmpty())))
                    .decoration();
        } catch (DecoratorFileException e) {
            spec.commandLine().getErr().println(e.getMessage());
            return ExitCodes.USAGE;
        }
        PrintWriter out = spec.commandLine().getOut();
        out.print(
                switch (target) {
                    case CDI -> CdiFiles.text(Decorations.cdi(decoration));
                    case HOOK ->
                        Decorations.hook(decoration)
                                .map(OciHookFiles::text)
                                .orElseThrow(() -> new UnusableInputException(
                                        name, "names no hook; set hookPath, which only SRO's own form has"));
                    case INJECTOR -> Decorations.injectorText(decoration);
                });
        out.flush();
        return ExitCodes.OK;
    }

    private String text() {
        try (InputStream in = file.equals("-") ? System.in : Files.newInputStream(Path.of(file))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UnusableInputException(file, "cannot be read: " + FileErrors.text(e));
        }
    }
}
