package dev.sro.runtime.rights;

import dev.sro.core.client.rights.Grant;
import dev.sro.core.plugin.LoadedPlugin;
import dev.sro.core.plugin.PluginHost;
import dev.sro.core.plugin.PluginRejection;
import dev.sro.runtime.DocumentForm;
import dev.sro.runtime.ExitCodes;
import dev.sro.runtime.OutputForm;
import dev.sro.runtime.install.GrantOptions;
import dev.sro.runtime.install.OperatorParts;
import dev.sro.runtime.install.Yaml;
import dev.sro.runtime.plan.PreviewOptions;
import dev.sro.runtime.plan.PreviewSource;
import dev.sro.runtime.plan.PreviewedResource;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
            "",
            "With --for: instead, as objects in YAML or JSON, what the chart or the numbered manifests of a special resource need, of the"
                    + " account by whose rights they are applied, and which Secrets the operator reads for it, by their names: of"
                    + " builds, signatures and logins. It is rendered for the nodes of the cluster, or those of"
                    + " --kernel and --nodes. Read it: who writes the recipe can do from then on what it grants.",
            ""
        },
        footer = {
            "",
            "Exit codes: 0 printed; 1 some files of the folder are no plugins, which is printed, or a plugin asks for"
                    + " rights that are not granted unasked, and nothing is, or the recipe"
                    + " cannot be rendered; 2 wrong arguments.",
            "",
            "Example:",
            "  sro rbac --for special-resource.yaml --apply"
        })
public final class RbacCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private PreviewOptions preview = new PreviewOptions();

    @Option(
            names = "--for",
            paramLabel = "FILE",
            description = "Special resources, YAML or JSON, whose recipes are to be granted what they need.")
    private List<Path> recipes = new ArrayList<>();

    @Option(names = "--apply", description = "With --for: applies it to the cluster, too.")
    private boolean apply;

    @Option(
            names = "--namespace",
            paramLabel = "NAME",
            defaultValue = Grant.NAME,
            description = "The operator's own namespace. Default: ${DEFAULT-VALUE}.")
    private String namespace = "";

    @Mixin
    private GrantOptions granting = new GrantOptions();

    @Mixin
    private OutputForm form = new OutputForm();

    /** Filled by the command line parser. */
    public RbacCommand() {}

    @Override
    public Integer call() {
        if (!recipes.isEmpty()) {
            return grantRecipes();
        }
        PrintWriter out = spec.commandLine().getOut();
        try (PluginHost host = preview.plugins().open()) {
            List<LoadedPlugin> loaded = host.current().plugins();
            List<String> refusals = granting.refusals(loaded);
            if (!refusals.isEmpty()) {
                // Not even those of other plugins: what is piped into kubectl is all or nothing.
                refusals.forEach(spec.commandLine().getErr()::println);
                return ExitCodes.FAILED;
            }
            out.print(form.isText() ? text(loaded) : form.objects(access(loaded)));
            out.flush();
            List<PluginRejection> rejections = host.current().rejections();
            PrintWriter err = spec.commandLine().getErr();
            rejections.forEach(rejection -> err.println("rejected: " + rejection.code() + ": " + rejection.message()));
            err.flush();
            return rejections.isEmpty() ? ExitCodes.OK : ExitCodes.FAILED;
        }
    }

    private List<Map<String, Object>> access(List<LoadedPlugin> loaded) {
        return Yaml.filled(OperatorParts.access(namespace, loaded, granting.further()));
    }

    private String text(List<LoadedPlugin> loaded) {
        return Grant.table(Grant.all(namespace, loaded, granting.further()));
    }

    private int grantRecipes() {
        PrintWriter err = spec.commandLine().getErr();
        List<Map<String, Object>> all = new ArrayList<>();
        boolean failed = false;
        try (PreviewSource source = preview.about(recipes).withAccounts().open()) {
            for (PreviewedResource previewed : source.previews()) {
                failed |= explain(previewed, err);
                Map<String, List<Map<String, Object>>> parts = new LinkedHashMap<>();
                RecipeNeeds.of(previewed)
                        .ifPresent(needs -> parts.putAll(RecipeGrants.of(previewed.name(), needs, namespace)));
                parts.putAll(RecipeGrants.loads(previewed, namespace));
                parts.putAll(RecipeGrants.reads(previewed, namespace));
                if (parts.isEmpty()) {
                    err.println(previewed.name() + ": nothing is applied by the rights of an account, nothing is"
                            + " loaded by SRO's own, and no Secret is read by its name");
                }
                all.addAll(print(parts));
            }
        }
        if (form.isJson()) {
            spec.commandLine().getOut().print(DocumentForm.list(all));
        }
        spec.commandLine().getOut().flush();
        err.flush();
        if (apply && !failed) {
            RecipeApply.apply(preview.config(), all);
        }
        return failed ? ExitCodes.FAILED : ExitCodes.OK;
    }

    private static boolean explain(PreviewedResource previewed, PrintWriter err) {
        previewed
                .problems()
                .forEach(found -> err.println("sro: " + previewed.name() + ": "
                        + found.problem().code() + ": " + found.problem().message()));
        return !previewed.problems().isEmpty();
    }

    private List<Map<String, Object>> print(Map<String, List<Map<String, Object>>> parts) {
        PrintWriter out = spec.commandLine().getOut();
        List<Map<String, Object>> all = new ArrayList<>();
        parts.forEach((what, objects) -> {
            if (!form.isJson()) {
                out.println("# " + what);
                out.print(Yaml.write(objects));
            }
            all.addAll(objects);
        });
        return all;
    }
}
