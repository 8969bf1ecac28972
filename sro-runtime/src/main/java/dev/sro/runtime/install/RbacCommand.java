package dev.sro.runtime.install;

import dev.sro.core.client.rights.Grant;
import dev.sro.core.plugin.LoadedPlugin;
import dev.sro.core.plugin.PluginHost;
import dev.sro.core.plugin.PluginRejection;
import dev.sro.runtime.ExitCodes;
import dev.sro.runtime.PluginOptions;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints the rights that the operator needs, and who asked for each. */
@Command(
        name = "rbac",
        mixinStandardHelpOptions = true,
        description = {
            "Prints the API rules that the operator needs with these plugins, and who asked for each.",
            "",
            "With -o yaml: roles and bindings for kubectl apply -f -, after a plugin was added.",
            ""
        },
        footer = {
            "",
            "Exit codes: 0 printed; 1 some files of the folder are no plugins, which is printed, or a plugin asks for"
                    + " rights that are not granted unasked, and nothing is; 2 wrong arguments."
        })
public final class RbacCommand implements Callable<Integer> {

    private enum Form {
        TEXT,
        YAML
    }

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private PluginOptions plugins = new PluginOptions();

    @Option(
            names = "--namespace",
            paramLabel = "NAME",
            defaultValue = Grant.NAME,
            description = "The operator's own namespace. Default: ${DEFAULT-VALUE}.")
    private String namespace = "";

    @Mixin
    private Granting granting = new Granting();

    @Option(names = "-o", paramLabel = "FORMAT", defaultValue = "text", description = "text or yaml. Default: text.")
    private Form form = Form.TEXT;

    /** Filled by the command line parser. */
    public RbacCommand() {}

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        try (PluginHost host = plugins.open()) {
            List<LoadedPlugin> loaded = host.current().plugins();
            List<String> refusals = granting.refusals(loaded);
            if (!refusals.isEmpty()) {
                // Not even those of other plugins: what is piped into kubectl is all or nothing.
                refusals.forEach(spec.commandLine().getErr()::println);
                return ExitCodes.FAILED;
            }
            out.print(form == Form.YAML ? yaml(loaded) : text(loaded));
            out.flush();
            List<PluginRejection> rejections = host.current().rejections();
            PrintWriter err = spec.commandLine().getErr();
            rejections.forEach(rejection -> err.println("rejected: " + rejection.code() + ": " + rejection.message()));
            err.flush();
            return rejections.isEmpty() ? ExitCodes.OK : ExitCodes.FAILED;
        }
    }

    private String yaml(List<LoadedPlugin> loaded) {
        return Yaml.write(
                new Installation(InstallFiles.defaults(namespace, null, ""), namespace, loaded, granting.builds())
                        .access());
    }

    private String text(List<LoadedPlugin> loaded) {
        return Grant.table(Grant.all(namespace, loaded, granting.builds()));
    }
}
