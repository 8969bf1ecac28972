package dev.sro.runtime.explain;

import dev.sro.core.slicing.input.Suggestions;
import dev.sro.runtime.ExitCodes;
import dev.sro.runtime.OutputForm;
import dev.sro.runtime.UnusableInputException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Says what a code means. */
@Command(
        name = "explain",
        mixinStandardHelpOptions = true,
        description = {
            "Says what a code means that a status, an event or a command has: whose it is to mend, what SRO does by"
                    + " itself, what mends it.",
            ""
        },
        footer = {
            "",
            "Exit codes: 0 explained; 2 there is no such code.",
            "",
            "Example:",
            "  sro explain PluginRejected"
        })
public final class ExplainCodeCommand implements Callable<Integer> {

    /** A column that is wide enough for the longest title and its colon. */
    private static final int TITLE = 8;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(arity = "0..1", paramLabel = "CODE", description = "The code. Default: all codes are listed.")
    private String code = "";

    @Mixin
    private OutputForm form = new OutputForm();

    /** Filled by the command line parser. */
    public ExplainCodeCommand() {}

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        List<CodePages.Entry> entries = CodePages.read();
        Set<String> known = new TreeSet<>();
        entries.forEach(entry -> known.addAll(entry.codes()));
        List<CodePages.Entry> found = entries.stream()
                .filter(entry -> code.isEmpty() || entry.codes().stream().anyMatch(code::equalsIgnoreCase))
                .toList();
        if (!form.isText() && !found.isEmpty()) {
            out.print(form.write(found.stream().map(ExplainCodeCommand::tree).toList()));
            out.flush();
            return ExitCodes.OK;
        }
        if (code.isEmpty()) {
            known.forEach(out::println);
            out.flush();
            return ExitCodes.OK;
        }
        if (found.isEmpty()) {
            List<String> close = Suggestions.close(code, known);
            throw new UnusableInputException(
                    code,
                    "is no code of SRO; "
                            + (close.isEmpty() ? "" : "did you mean " + String.join(", ", close) + "? ")
                            + "sro explain lists them all. Codes of plugins are their vendors' to explain");
        }
        for (int i = 0; i < found.size(); i++) {
            if (i > 0) {
                out.println();
            }
            print(found.get(i), out);
        }
        out.flush();
        return ExitCodes.OK;
    }

    private static Map<String, Object> tree(CodePages.Entry entry) {
        Map<String, Object> columns = new LinkedHashMap<>();
        for (int i = 0; i < Math.min(entry.titles().size(), entry.texts().size()); i++) {
            String title = entry.titles().get(i);
            columns.put(title.isEmpty() ? "meaning" : title, entry.texts().get(i));
        }
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("codes", entry.codes());
        tree.put("columns", columns);
        tree.put("page", entry.page());
        tree.put("heading", entry.heading());
        return tree;
    }

    private static void print(CodePages.Entry entry, PrintWriter out) {
        out.println(String.join(", ", entry.codes()));
        for (int i = 0; i < Math.min(entry.titles().size(), entry.texts().size()); i++) {
            String title = entry.titles().get(i);
            String text = entry.texts().get(i);
            if (!text.isEmpty()) {
                String label = title.isEmpty() ? "" : title + ":";
                out.println("  " + label + " ".repeat(Math.max(1, TITLE - label.length())) + text);
            }
        }
        out.println("  " + "page:" + " ".repeat(TITLE - 5) + entry.page() + ", " + entry.heading());
    }
}
