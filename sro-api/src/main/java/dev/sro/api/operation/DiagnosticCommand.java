package dev.sro.api.operation;

import dev.sro.api.Checks;
import java.util.List;
import java.util.Map;

/**
 * A command whose output helps to find a fault. Immutable.
 *
 * @param file name of the file that the output goes to
 * @param podLabels pods of the operand namespace in which it runs
 * @param container in the pod
 * @param command program and arguments; it must change nothing
 */
public record DiagnosticCommand(String file, Map<String, String> podLabels, String container, List<String> command) {

    /** Copies and checks. */
    public DiagnosticCommand {
        podLabels = Map.copyOf(podLabels);
        command = List.copyOf(command);
        Checks.require(
                file.matches("[A-Za-z0-9][A-Za-z0-9._-]*"),
                "DiagnosticCommand.file",
                "\"" + file + "\" must be a file name without a path");
        Checks.require(!podLabels.isEmpty(), "DiagnosticCommand.podLabels", "say in which pods it runs");
        Checks.dnsLabel("DiagnosticCommand.container", container);
        Checks.require(!command.isEmpty(), "DiagnosticCommand.command", "say what runs");
    }
}
