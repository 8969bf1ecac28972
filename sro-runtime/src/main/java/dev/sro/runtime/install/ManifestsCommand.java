package dev.sro.runtime.install;

import dev.sro.core.client.rights.Grant;
import dev.sro.core.plugin.LoadedPlugin;
import dev.sro.core.plugin.PluginHost;
import dev.sro.runtime.ExitCodes;
import dev.sro.runtime.PluginOptions;
import dev.sro.runtime.SroVersion;
import dev.sro.runtime.UnusableInputException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Writes what installs the operator. */
@Command(
        name = "manifests",
        mixinStandardHelpOptions = true,
        description = {
            "Writes what installs the operator with these plugins: a kustomize base and a Helm chart.",
            "",
            "DIR/kustomize is for kubectl apply -k, DIR/helm/" + Grant.NAME + " for helm install. Files of the same"
                    + " names are replaced, others stay.",
            ""
        },
        footer = {
            "",
            "Exit codes: 0 written; 1 nothing is written, as some files of the folder are no plugins or a plugin asks"
                    + " for rights that are not granted unasked; 2 wrong arguments."
        })
public final class ManifestsCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "DIR", description = "Where to write.")
    private Path out = Path.of("");

    @Mixin
    private PluginOptions plugins = new PluginOptions();

    @Option(
            names = "--namespace",
            paramLabel = "NAME",
            defaultValue = Grant.NAME,
            description = "The operator's own namespace, in the kustomize base. Default: ${DEFAULT-VALUE}.")
    private String namespace = "";

    @Option(
            names = "--image",
            paramLabel = "IMAGE",
            description =
                    "With tag or digest, in the kustomize base. Default: " + Grant.NAME + " with the version of SRO.")
    private @Nullable String image;

    @Option(
            names = "--plugin",
            paramLabel = "NAME",
            description = "Grants the rights of this plugin in the base, and by default in the chart. Can be repeated."
                    + " Default: all plugins. Those of the others are in kustomize/plugins/NAME, and in the chart where"
                    + " its value plugins names them.")
    private List<String> chosen = new ArrayList<>();

    @Mixin
    private GrantOptions granting = new GrantOptions();

    /** Filled by the command line parser. */
    public ManifestsCommand() {}

    @Override
    public Integer call() throws IOException {
        if (!namespace.matches("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")) {
            throw new UnusableInputException("--namespace " + namespace, "is not the name of a namespace");
        }
        try (PluginHost host = plugins.open()) {
            if (granting.refuses(host, spec.commandLine().getErr())) {
                return ExitCodes.FAILED;
            }
            PluginChoice choice = choice(host.current().plugins());
            OutputFolder.write(
                    out,
                    files(namespace, image, choice, granting.further()),
                    spec.commandLine().getOut());
        }
        return ExitCodes.OK;
    }

    private PluginChoice choice(List<LoadedPlugin> loaded) {
        List<String> names = loaded.stream().map(LoadedPlugin::name).toList();
        for (String name : chosen) {
            if (!names.contains(name)) {
                throw new UnusableInputException("--plugin " + name, "is not among the plugins, which are " + names);
            }
        }
        return new PluginChoice(loaded, Set.copyOf(chosen.isEmpty() ? names : chosen));
    }

    /** All files by their path. */
    static Map<String, String> files(
            String namespace, @Nullable String image, PluginChoice plugins, Grant.Further further) {
        Map<String, String> files = new LinkedHashMap<>();
        String version = SroVersion.current();
        InstallFiles.kustomize(namespace, image, version, plugins, further)
                .forEach((name, text) -> files.put("kustomize/" + name, text));
        InstallFiles.helm(version, plugins, further)
                .forEach((name, text) -> files.put("helm/" + Grant.NAME + "/" + name, text));
        return files;
    }
}
