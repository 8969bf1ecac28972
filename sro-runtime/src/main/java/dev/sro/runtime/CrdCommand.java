package dev.sro.runtime;

import dev.sro.api.resource.SpecialResource;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints the definition of SpecialResource. */
@Command(
        name = "crd",
        mixinStandardHelpOptions = true,
        description = "Prints the CustomResourceDefinition of SpecialResource, for kubectl apply -f -.",
        footer = {"", "Exit codes: 0 printed; 2 wrong arguments."})
public final class CrdCommand implements Callable<Integer> {

    /** Where the definition is in the jar of the API. */
    public static final String RESOURCE = "/META-INF/sro/crds/specialresources.sro.openshift.io.yaml";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** Filled by the command line parser. */
    public CrdCommand() {}

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        try (InputStream yaml = SpecialResource.class.getResourceAsStream(RESOURCE)) {
            if (yaml == null) {
                throw new IOException(RESOURCE + " is not on the class path");
            }
            out.print(new String(yaml.readAllBytes(), StandardCharsets.UTF_8));
        }
        out.flush();
        return ExitCodes.OK;
    }
}
