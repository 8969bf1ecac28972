package dev.sro.runtime.docs;

import dev.sro.runtime.CommandTree;
import java.io.File;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The page with all commands, their arguments and options. Stateless. */
final class CommandPage {
    private static final List<String> EVERYWHERE = List.of("--help", "--version");

    private CommandPage() {}

    static String write() {
        StringBuilder page = new StringBuilder("""
                # Commands

                What `sro COMMAND --help` says, on one page; it is written from the code. Each command has `--help` and `--version`, too.

                """);
        CommandTree.leaves().stream()
                .map(CommandLine::getCommandSpec)
                .filter(command -> !command.name().equals("help"))
                .sorted(Comparator.comparing(CommandSpec::qualifiedName))
                .forEach(command -> section(page, command));
        return page.toString().stripTrailing() + "\n";
    }

    private static void section(StringBuilder page, CommandSpec command) {
        page.append("## ").append(command.qualifiedName()).append("\n\n");
        paragraphs(page, command.usageMessage().description(), command);
        List<ArgSpec> arguments = command.args().stream()
                .filter(argument -> !argument.hidden() && !isEverywhere(argument))
                .toList();
        if (!arguments.isEmpty()) {
            page.append("| argument | what it is |\n|---|---|\n");
            arguments.forEach(argument -> page.append("| `")
                    .append(name(argument))
                    .append("` | ")
                    .append(argument.required() && argument.isOption() ? "Required. " : "")
                    .append(cell(description(argument, command)))
                    .append(" |\n"));
            page.append('\n');
        }
        paragraphs(page, command.usageMessage().footer(), command);
    }

    private static boolean isEverywhere(ArgSpec argument) {
        return argument instanceof OptionSpec option && EVERYWHERE.contains(option.longestName());
    }

    private static String name(ArgSpec argument) {
        if (argument instanceof OptionSpec option) {
            String value = option.arity().max() == 0 ? "" : " " + option.paramLabel();
            return String.join(", ", option.names()) + value;
        }
        return ((PositionalParamSpec) argument).paramLabel() + (argument.arity().max() > 1 ? "..." : "");
    }

    private static String description(ArgSpec argument, CommandSpec command) {
        String all = String.join(" ", argument.description());
        // Whose home it is differs.
        return plain(all, command).replace(System.getProperty("user.home") + File.separator, "~/");
    }

    /** Lines up to an empty one are a paragraph; those that are further in are examples. */
    private static void paragraphs(StringBuilder page, String[] lines, CommandSpec command) {
        String text = Arrays.stream(lines).map(line -> plain(line, command)).collect(Collectors.joining("\n"));
        for (String block : text.split("\n\\s*\n")) {
            if (block.isBlank()) {
                continue;
            }
            List<String> all = block.strip().lines().toList();
            List<String> prose =
                    all.stream().filter(line -> !line.startsWith("  ")).toList();
            List<String> code = all.stream()
                    .filter(line -> line.startsWith("  "))
                    .map(String::strip)
                    .toList();
            page.append(String.join(" ", prose)).append("\n\n");
            if (!code.isEmpty()) {
                page.append("```\n").append(String.join("\n", code)).append("\n```\n\n");
            }
        }
    }

    private static String plain(String text, CommandSpec command) {
        return text.replace("%n", "\n").replace("%%", "%").replace("${COMMAND-FULL-NAME}", command.qualifiedName());
    }

    private static String cell(String text) {
        return text.replace("|", "\\|").replace("\n", " ").replace("<", "&lt;");
    }
}
