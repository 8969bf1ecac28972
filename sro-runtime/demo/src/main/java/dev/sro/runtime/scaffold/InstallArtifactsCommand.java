package dev.sro.runtime.scaffold;

import dev.sro.core.model.FileErrors;
import dev.sro.runtime.AddedCommand;
import dev.sro.runtime.ExitCodes;
import dev.sro.runtime.UnusableInputException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Puts what plugins and embedders compile against into a Maven repository. */
@Command(
        name = "install-artifacts",
        mixinStandardHelpOptions = true,
        description = {
            "Puts the jars that plugins and embedders compile against, with their poms and sro-bom, into Maven's local"
                    + " repository. Needs no Maven and no network: they are those that this command runs from.",
            ""
        },
        footer = {"", "Exit codes: 0 installed; 2 the repository cannot be written, or the jars are not there."})
public final class InstallArtifactsCommand implements AddedCommand {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--repository",
            paramLabel = "FOLDER",
            defaultValue = "${sys:user.home}/.m2/repository",
            description = "The repository. Default: ${DEFAULT-VALUE}.")
    private Path repository = Path.of("");

    /** Filled by the command line parser. */
    public InstallArtifactsCommand() {}

    @Override
    public Integer call() {
        String home = System.getProperty("sro.home", "");
        if (home.isEmpty()) {
            throw new UnusableInputException(
                    "install-artifacts", "runs from the launcher, bin/sro of the archive or ./sro of the sources");
        }
        List<MavenArtifact> artifacts = installed(Path.of(home));
        PrintWriter out = spec.commandLine().getOut();
        out.println(repository + ": " + artifacts.size() + " artifacts of dev.sro, version "
                + artifacts.get(0).version());
        artifacts.forEach(artifact -> out.println("  " + artifact.name()));
        out.flush();
        return ExitCodes.OK;
    }

    private List<MavenArtifact> installed(Path home) {
        List<MavenArtifact> artifacts;
        try {
            artifacts = MavenArtifact.of(home);
        } catch (IOException e) {
            throw new UnusableInputException(home.toString(), "cannot be read (" + FileErrors.text(e) + ")");
        }
        if (artifacts.size() <= MavenArtifact.POMS) {
            throw new UnusableInputException(
                    home.toString(), "has no jars of SRO in lib and plugins; unpack the archive anew");
        }
        try {
            for (MavenArtifact artifact : artifacts) {
                artifact.install(repository);
            }
        } catch (IOException e) {
            throw new UnusableInputException(
                    repository.toString(),
                    "cannot be written (" + FileErrors.text(e) + "); name another one with --repository");
        }
        return artifacts;
    }
}
