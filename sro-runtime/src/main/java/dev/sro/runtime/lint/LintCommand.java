package dev.sro.runtime.lint;

import dev.sro.runtime.ExitCodes;
import dev.sro.runtime.OutputForm;
import dev.sro.runtime.Progress;
import dev.sro.runtime.Screen;
import dev.sro.runtime.lint.Finding.Severity;
import dev.sro.runtime.plan.PreviewOptions;
import dev.sro.runtime.plan.PreviewSource;
import dev.sro.runtime.plan.PreviewedResource;
import dev.sro.runtime.plan.Templates;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Says what in a recipe will not work. */
@Command(
        name = "lint",
        mixinStandardHelpOptions = true,
        description = {
            "Says what in the recipes of special resources will not work, why, and what to do. Nothing is written.",
            "",
            "For the nodes of files (--nodes, --kernel) or for the cluster of the kubeconfig. Objects are also tried"
                    + " on an",
            "API server inside of this process.",
            ""
        },
        footer = {
            "",
            "Exit codes: 0 no error in what could be looked at, though there may be warnings; 1 there are errors; 2 wrong",
            "arguments, input that cannot be read, or no answer from the cluster.",
            "",
            "Example:",
            "  sro lint -f special-resource.yaml --chart ./my-chart --kernel 5.14.0-427.11.1.el9_4.x86_64"
        })
public final class LintCommand implements Callable<Integer> {

    private record Of(String name, Finding finding) {}

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private PreviewOptions options = new PreviewOptions();

    @Mixin
    private OutputForm form = new OutputForm();

    private final Screen screen = new Screen();

    /** Filled by the command line parser. */
    public LintCommand() {}

    @Override
    public Integer call() {
        try (Progress progress = Progress.saying(spec.commandLine().getErr(), form.isText(), PreviewSource.WORK);
                PreviewSource source = options.open()) {
            List<Of> all = new ArrayList<>();
            List<PreviewedResource> previews = source.previews();
            progress.clear();
            source.warnings().forEach(text -> all.add(new Of("", Finding.warning("InputWarning", "", text, ""))));
            for (PreviewedResource previewed : previews) {
                Subject subject =
                        new Subject(previewed, Templates.of(previewed.preview()), source.facts(), source.codec());
                findings(subject).forEach(finding -> all.add(new Of(previewed.name(), finding)));
            }
            print(all);
            return all.stream().anyMatch(one -> one.finding().severity() == Severity.ERROR)
                    ? ExitCodes.FAILED
                    : ExitCodes.OK;
        }
    }

    /** The template, or what else is the same for all pools. */
    private static String place(Finding finding) {
        int open = finding.where().lastIndexOf('(');
        return finding.code() + " " + finding.message() + " "
                + (open < 0 ? finding.where() : finding.where().substring(open));
    }

    /** The worst first; what is the same for several pools once. */
    private static List<Finding> findings(Subject subject) {
        List<Finding> found = new ArrayList<>(EngineFindings.in(subject));
        found.addAll(TemplateChecks.in(subject));
        found.addAll(ObjectChecks.in(subject));
        found.addAll(ClusterObjectChecks.in(subject));
        found.addAll(ServerChecks.in(subject));
        Set<String> seen = new HashSet<>();
        return found.stream()
                .filter(finding -> seen.add(place(finding)))
                .sorted(Comparator.comparing(Finding::severity))
                .toList();
    }

    private void print(List<Of> all) {
        PrintWriter out = spec.commandLine().getOut();
        if (form.isText()) {
            all.forEach(this::printText);
            out.println(count(all, Severity.ERROR) + ", " + count(all, Severity.WARNING) + ", "
                    + count(all, Severity.NOTE) + missed(all));
        } else {
            out.print(form.write(all.stream().map(LintCommand::tree).toList()));
        }
        out.flush();
    }

    /** Who reads no more than the last line shall not take it for a verdict on all. */
    private static String missed(List<Of> all) {
        String places = all.stream()
                .filter(one -> one.finding().code().equals("NotLookedAt"))
                .map(one -> one.name() + " " + one.finding().where().replaceFirst(", .*", ""))
                .distinct()
                .collect(Collectors.joining(", "));
        return places.isEmpty() ? "" : "; not all was looked at: see " + places;
    }

    private static String count(List<Of> all, Severity severity) {
        long n =
                all.stream().filter(one -> one.finding().severity() == severity).count();
        return n + " " + severity.text() + (n == 1 ? "" : "s");
    }

    private void printText(Of one) {
        PrintWriter out = spec.commandLine().getOut();
        Finding finding = one.finding();
        out.println(finding.severity().text() + " " + finding.code()
                + (one.name().isEmpty() ? "" : ", " + one.name())
                + (finding.where().isEmpty() ? "" : ", " + finding.where()));
        out.println("  " + screen.cut(finding.message()).replace("\n", "\n  "));
        if (!finding.fix().isEmpty()) {
            out.println("  fix: " + finding.fix());
        }
    }

    private static Map<String, Object> tree(Of one) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("severity", one.finding().severity().text());
        tree.put("code", one.finding().code());
        tree.put("specialResource", one.name());
        tree.put("where", one.finding().where());
        tree.put("message", one.finding().message());
        tree.put("fix", one.finding().fix());
        return tree;
    }
}
