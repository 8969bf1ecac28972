package dev.sro.runtime.plan;

import dev.sro.core.manifest.Desired;
import dev.sro.core.yaml.YamlWriter;
import dev.sro.runtime.DocumentForm;
import dev.sro.runtime.ExitCodes;
import dev.sro.runtime.Progress;
import dev.sro.runtime.Screen;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints the objects that a recipe comes to. */
@Command(
        name = "render",
        mixinStandardHelpOptions = true,
        description = {
            "Prints all objects that shall exist for a special resource, in the order in which they are made. Nothing"
                    + " is written.",
            "",
            "For the nodes of files (--nodes, --kernel) or for the cluster of the kubeconfig.",
            ""
        },
        footer = {
            "",
            "Exit codes: 0 all is printed; 1 something is not, and standard error says what and why; 2 wrong"
                    + " arguments,",
            "input that cannot be read, or no answer from the cluster.",
            "",
            "Example:",
            "  sro render -f special-resource.yaml --chart ./my-chart --kernel 5.14.0-427.11.1.el9_4.x86_64"
        })
public final class RenderCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private PreviewOptions options = new PreviewOptions();

    @Option(names = "--state", paramLabel = "ID", description = "This state alone.")
    private String state = "";

    @Option(names = "--pool", paramLabel = "NAME", description = "This pool alone, with what serves all pools.")
    private String pool = "";

    @Option(names = "--raw", description = "The text that the templates give, before SRO does anything with it.")
    private boolean raw;

    @Mixin
    private DocumentForm form = new DocumentForm();

    private final Screen screen = new Screen();

    /** Filled by the command line parser. */
    public RenderCommand() {}

    @Override
    public Integer call() {
        PrintWriter err = spec.commandLine().getErr();
        try (Progress progress = Progress.saying(err, !form.isJson(), PreviewSource.WORK);
                PreviewSource source = options.open()) {
            List<PreviewedResource> previews = source.previews();
            progress.clear();
            source.warnings().forEach(warning -> err.println("warning: " + warning));
            previews.forEach(this::explain);
            if (raw) {
                previews.forEach(this::printRaw);
            } else if (form.isJson()) {
                printJson(previews);
            } else {
                previews.forEach(this::printYaml);
            }
            spec.commandLine().getOut().flush();
            return previews.stream()
                            .anyMatch(one ->
                                    !one.problems().isEmpty() || !one.unshown().isEmpty())
                    ? ExitCodes.FAILED
                    : ExitCodes.OK;
        }
    }

    private void explain(PreviewedResource previewed) {
        PrintWriter err = spec.commandLine().getErr();
        previewed.problems().forEach(found -> err.println("sro: " + screen.cut(text(previewed, found))));
        previewed.preview().warnings().forEach(text -> err.println("warning: " + previewed.name() + ": " + text));
        previewed
                .preview()
                .notices()
                .forEach(text -> err.println("warning: " + previewed.name() + ": not acted on: " + text));
        previewed
                .preview()
                .skipped()
                .forEach(skipped -> err.println("warning: " + previewed.name() + ": skipped "
                        + skipped.desired().object().ref() + ": the cluster does not serve " + skipped.kind()));
        explainUnshown(previewed, "not rendered", err);
        if (!previewed.idle().isEmpty() && previewed.problems().isEmpty()) {
            err.println("warning: " + previewed.name() + ": " + previewed.idle() + ", so there is nothing to render");
        }
    }

    /** Says what is missing in what is printed, and how to have it, once. */
    static void explainUnshown(PreviewedResource previewed, String what, PrintWriter err) {
        List<UnshownObjects> unshown = previewed.unshown();
        unshown.forEach(one -> err.println(
                "sro: " + previewed.name() + ", " + one.where() + ": " + what + ", as it waits: " + one.why()));
        unshown.stream()
                .map(UnshownObjects::how)
                .filter(how -> !how.isEmpty())
                .distinct()
                .forEach(how -> err.println("sro: " + how));
    }

    static String text(PreviewedResource previewed, PreviewedResource.LocatedProblem found) {
        return previewed.name() + (found.where().isEmpty() ? "" : ", " + found.where()) + ": "
                + found.problem().code() + " ("
                + found.problem().owner().name().toLowerCase(Locale.ROOT) + "): "
                + found.problem().message();
    }

    private boolean isChosen(String ofState, String ofPool) {
        return (state.isEmpty() || state.equals(ofState))
                && (pool.isEmpty() || ofPool.isEmpty() || pool.equals(ofPool));
    }

    private List<Desired> chosen(PreviewedResource previewed) {
        return previewed.desired().stream()
                .filter(desired -> isChosen(desired.state(), desired.pool() == null ? "" : desired.pool()))
                .toList();
    }

    private void printYaml(PreviewedResource previewed) {
        PrintWriter out = spec.commandLine().getOut();
        Templates templates = Templates.of(previewed.preview());
        for (Desired desired : chosen(previewed)) {
            String own = desired.pool() == null ? "" : desired.pool();
            out.println("---");
            out.println(comment(
                    previewed, isBeforeAll(previewed, desired) ? "" : desired.state(), own, templates.origin(desired)));
            out.print(YamlWriter.write(desired.object().tree()));
        }
    }

    /** The namespace counts as a state of its own, which no recipe has. */
    private static boolean isBeforeAll(PreviewedResource previewed, Desired desired) {
        return previewed.preview().namespace().filter(desired::equals).isPresent();
    }

    private static String comment(PreviewedResource previewed, String state, String pool, String template) {
        return "# " + previewed.name()
                + (state.isEmpty() ? "" : ", state " + state)
                + (pool.isEmpty() ? "" : ", pool " + pool)
                + (template.isEmpty() ? "" : ", template " + template);
    }

    private void printRaw(PreviewedResource previewed) {
        PrintWriter out = spec.commandLine().getOut();
        for (Templates.Raw text : Templates.of(previewed.preview()).raw()) {
            if (isChosen(text.state(), text.pool()) && !text.text().isBlank()) {
                out.println("---");
                out.println(comment(previewed, text.state(), text.pool(), text.name()));
                out.println(text.text().strip().replaceFirst("^---\\s*\n", ""));
            }
        }
    }

    private void printJson(List<PreviewedResource> previews) {
        List<Map<String, Object>> items = new ArrayList<>();
        previews.forEach(previewed ->
                chosen(previewed).forEach(desired -> items.add(desired.object().tree())));
        spec.commandLine().getOut().print(DocumentForm.list(items));
    }
}
