package dev.sro.runtime.install;

import dev.sro.core.plugin.LoadedPlugin;
import dev.sro.core.plugin.PluginHost;
import dev.sro.core.plugin.PluginRejection;
import dev.sro.runtime.ExitCodes;
import dev.sro.runtime.InputException;
import dev.sro.runtime.PluginOptions;
import dev.sro.runtime.SroVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
            "Exit codes: 0 written; 1 some files of the folder are no plugins: nothing is written; 2 wrong arguments."
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

    /** Filled by the command line parser. */
    public ManifestsCommand() {}

    @Override
    public Integer call() throws IOException {
        if (!namespace.matches("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")) {
            throw new InputException("--namespace " + namespace, "is not the name of a namespace");
        }
        try (PluginHost host = plugins.open()) {
            List<PluginRejection> rejections = host.current().rejections();
            if (!rejections.isEmpty()) {
                rejections.forEach(rejection -> spec.commandLine()
                        .getErr()
                        .println("rejected: " + rejection.code() + ": " + rejection.message()));
                return ExitCodes.FAILED;
            }
            write(files(namespace, image, host.current().plugins()));
        }
        return ExitCodes.OK;
    }

    /** All files by their path. */
    static Map<String, String> files(String namespace, @Nullable String image, List<LoadedPlugin> plugins) {
        Map<String, String> files = new LinkedHashMap<>();
        String version = SroVersion.current();
        InstallFiles.kustomize(namespace, image, version, plugins)
                .forEach((name, text) -> files.put("kustomize/" + name, text));
        InstallFiles.helm(version, plugins).forEach((name, text) -> files.put("helm/" + Grant.NAME + "/" + name, text));
        return files;
    }

    private void write(Map<String, String> files) throws IOException {
        for (Map.Entry<String, String> file : files.entrySet()) {
            Path path = out.resolve(file.getKey());
            Path folder = path.getParent();
            if (folder != null) {
                Files.createDirectories(folder);
            }
            Files.writeString(path, file.getValue());
            spec.commandLine().getOut().println(path);
        }
        spec.commandLine().getOut().flush();
    }
}
