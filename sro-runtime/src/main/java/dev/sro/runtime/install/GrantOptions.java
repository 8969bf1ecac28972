package dev.sro.runtime.install;

import dev.sro.core.client.rights.ClientRules;
import dev.sro.core.client.rights.Grant;
import dev.sro.core.plugin.LoadedPlugin;
import dev.sro.core.plugin.PluginHost;
import dev.sro.core.plugin.PluginRejection;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** Options of every command that grants rights. Filled by the command line parser. */
public final class GrantOptions {

    private static final String ALLOW = "--allow-wide-rules";

    @Option(
            names = "--builds",
            description = "With the rights to build images of drivers; plugins that build are granted them anyway.")
    private boolean builds;

    @Option(
            names = "--partitioning",
            description =
                    "With the rights that spec.partitioning needs beyond taints: to priority classes, and to admission"
                            + " policies and webhooks, by which any pod can be changed.")
    private boolean partitioning;

    @Option(
            names = ALLOW,
            paramLabel = "PLUGIN",
            description = "Grants this plugin rules with * and the verbs escalate, bind and impersonate, too. Can be"
                    + " repeated. Default: with such a rule nothing is granted.")
    private List<String> trusted = new ArrayList<>();

    /** Filled by the command line parser. */
    public GrantOptions() {}

    /** What is granted whatever the plugins are. */
    public Grant.Further further() {
        return new Grant.Further(builds, partitioning);
    }

    /**
     * Whether nothing can be installed: some files of the folder are no plugins, or a plugin asks for rights that are not granted
     * unasked. Says so, with the fix.
     */
    public boolean refuses(PluginHost host, PrintWriter err) {
        List<PluginRejection> rejections = host.current().rejections();
        rejections.forEach(rejection -> err.println("rejected: " + rejection.code() + ": " + rejection.message()));
        List<String> refusals = rejections.isEmpty() ? refusals(host.current().plugins()) : List.of();
        refusals.forEach(err::println);
        err.flush();
        return !rejections.isEmpty() || !refusals.isEmpty();
    }

    /** Why these plugins are not granted what they ask for, with plugin, rule and fix; empty if they are. */
    public List<String> refusals(List<LoadedPlugin> plugins) {
        return plugins.stream()
                .filter(plugin -> !trusted.contains(plugin.name()))
                .flatMap(plugin -> ClientRules.tooWide(plugin.descriptor()).stream()
                        .map(line -> "refused: " + line + ", or pass " + ALLOW + "=" + plugin.name()
                                + " if you trust the plugin with the cluster"))
                .toList();
    }
}
