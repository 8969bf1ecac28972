package dev.sro.runtime.plugins;

import dev.sro.api.PluginDescriptor;
import dev.sro.api.Setting;
import dev.sro.core.build.BuildSettings;
import dev.sro.core.plugin.LoadedPlugin;
import dev.sro.core.plugin.PluginFile;
import dev.sro.core.plugin.PluginHost;
import dev.sro.core.plugin.PluginRejection;
import dev.sro.core.runtimehook.RuntimeState;
import dev.sro.runtime.ExitCodes;
import dev.sro.runtime.OutputForm;
import dev.sro.runtime.PluginOptions;
import dev.sro.runtime.SafeOutput;
import dev.sro.runtime.UnusableInputException;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import java.io.PrintWriter;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows the plugins of a directory and what they need of a cluster. */
@Command(
        name = "plugins",
        mixinStandardHelpOptions = true,
        description = "Lists plugins with the API rules, custom resources and images that they need.",
        footer = {"", "Exit codes: 0 all files are plugins; 1 some were rejected, which is printed; 2 wrong arguments."
        })
public final class PluginsCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private PluginOptions plugins = new PluginOptions();

    @Option(
            names = "--sha256",
            description = "Print the digests of the files and nothing else, as sha256sum does: a PLUGINS.sha256.")
    private boolean digests;

    @Option(
            names = "--images",
            description = {
                "Print the images that SRO itself and all plugins may use and nothing else, one a line and sorted:"
                        + " what a",
                "disconnected cluster has to mirror. Images of drivers that are named by kernel are those the plugin"
                        + " lists."
            })
    private boolean images;

    @Mixin
    private OutputForm form = new OutputForm();

    /** Filled by the command line parser. */
    public PluginsCommand() {}

    @Override
    public Integer call() {
        PrintWriter out = SafeOutput.messages(spec.commandLine().getOut());
        boolean alone = digests || images;
        if (alone && !form.isText()) {
            throw new UnusableInputException("-o", "is for the whole list; leave it out with --sha256 and --images");
        }
        try (PluginHost host = plugins.open()) {
            List<PluginRejection> rejections = host.current().rejections();
            if (digests) {
                host.current().files().stream()
                        .sorted(Comparator.comparing(PluginFile::file))
                        .forEach(file -> out.print(file.sha256() + "  " + SafeOutput.oneLine(file.file()) + "\n"));
            } else if (images) {
                images(host).forEach(out::println);
            } else if (form.isText()) {
                host.current().plugins().forEach(plugin -> print(plugin, out));
            } else {
                out.print(form.write(PluginTrees.of(host.current().plugins(), rejections)));
            }
            out.flush();
            PrintWriter complaints =
                    alone || !form.isText() ? spec.commandLine().getErr() : out;
            rejections.forEach(
                    rejection -> complaints.println("rejected: " + rejection.code() + ": " + rejection.message()));
            complaints.flush();
            return rejections.isEmpty() ? ExitCodes.OK : ExitCodes.FAILED;
        }
    }

    /** The images that SRO itself and these plugins may use, but for the operator's own. */
    public static SortedSet<String> images(PluginHost host) {
        SortedSet<String> all = new TreeSet<>(Set.of(RuntimeState.DEFAULT_IMAGE));
        for (BuildSettings.Tool tool : BuildSettings.Tool.values()) {
            all.add(BuildSettings.builder().tool(tool).build().builderImage());
        }
        host.current()
                .plugins()
                .forEach(plugin -> all.addAll(plugin.descriptor().relatedImages()));
        return all;
    }

    private static void print(LoadedPlugin plugin, PrintWriter out) {
        PluginDescriptor descriptor = plugin.descriptor();
        out.println(plugin.label() + " by " + descriptor.vendor());
        plugin.file().ifPresent(file -> out.println("  sha256: " + file.sha256()));
        list(
                out,
                "keeps objects of",
                descriptor.operandResources().stream()
                        .map(kind -> descriptor.optionalCrds().contains(kind)
                                ? kind + " (optional: skipped where the cluster does not serve it)"
                                : kind)
                        .toList());
        list(
                out,
                "API rules",
                descriptor.rbacRules().stream().map(PluginsCommand::text).toList());
        list(out, "needs custom resources", descriptor.requiredCrds());
        list(out, "uses custom resources", descriptor.optionalCrds());
        list(out, "images", descriptor.relatedImages());
        list(
                out,
                "settings",
                descriptor.settings().stream().map(Setting::toString).toList());
    }

    private static void list(PrintWriter out, String what, List<String> items) {
        if (!items.isEmpty()) {
            out.println("  " + what + ":");
            items.forEach(item -> out.println("    " + item));
        }
    }

    /** {@code get,list pods,nodes in "" only a}: verbs, resources, groups, names. */
    private static String text(PolicyRule rule) {
        String names = rule.getResourceNames().isEmpty() ? "" : " only " + String.join(",", rule.getResourceNames());
        String groups = String.join(",", rule.getApiGroups());
        return String.join(",", rule.getVerbs()) + " " + String.join(",", rule.getResources()) + " in "
                + (groups.isEmpty() ? "core" : groups) + names;
    }
}
