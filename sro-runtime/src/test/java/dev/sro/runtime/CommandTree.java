package dev.sro.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import picocli.CommandLine;

/** All commands that do something. Stateless. */
public final class CommandTree {
    private CommandTree() {}

    /** Those without commands below them, in any order. */
    public static List<CommandLine> leaves() {
        return leaves(Main.commandLine());
    }

    private static List<CommandLine> leaves(CommandLine command) {
        if (command.getSubcommands().isEmpty()) {
            return List.of(command);
        }
        List<CommandLine> all = new ArrayList<>();
        Set.copyOf(command.getSubcommands().values()).forEach(inner -> all.addAll(leaves(inner)));
        return all;
    }
}
