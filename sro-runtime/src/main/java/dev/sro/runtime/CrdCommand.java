package dev.sro.runtime;

import dev.sro.api.resource.SpecialResource;
import dev.sro.core.yaml.Yaml;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints the definitions of SRO's own kinds. */
@Command(
        name = "crd",
        mixinStandardHelpOptions = true,
        description = "Prints the CustomResourceDefinitions of SRO's own kinds, or of DAS's, for kubectl apply -f -.",
        footer = {"", "Exit codes: 0 printed; 2 wrong arguments."})
public final class CrdCommand implements Callable<Integer> {

    private static final String FOLDER = "/META-INF/sro/crds/";

    /** Where the definition of SpecialResource is in the jar of the API. */
    public static final String RESOURCE = FOLDER + "specialresources.sro.openshift.io.yaml";

    /** Where that of PreflightValidation is. */
    public static final String PREFLIGHTS = FOLDER + "preflightvalidations.sro.openshift.io.yaml";

    /** Where that of SpecialResourceModule is. */
    public static final String MODULES = FOLDER + "specialresourcemodules.sro.openshift.io.yaml";

    private static final List<String> ALL = List.of(RESOURCE, PREFLIGHTS, MODULES);

    /** Where those of DAS are, for clusters whose slices come from device plugins. */
    public static final List<String> DAS = List.of(
            FOLDER + "allocationclaims.inference.redhat.com.yaml",
            FOLDER + "nodeaccelerators.inference.redhat.com.yaml",
            FOLDER + "dasoperators.inference.redhat.com.yaml");

    @Option(
            names = "--das",
            description = "Those of the Dynamic Accelerator Slicer in place of SRO's own: AllocationClaim,"
                    + " NodeAccelerator, DASOperator.")
    private boolean das;

    @Mixin
    private DocumentForm form = new DocumentForm();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** Filled by the command line parser. */
    public CrdCommand() {}

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        StringBuilder text = new StringBuilder();
        for (String resource : das ? DAS : ALL) {
            try (InputStream yaml = SpecialResource.class.getResourceAsStream(resource)) {
                if (yaml == null) {
                    throw new IOException(resource + " is not on the class path");
                }
                text.append("---\n").append(new String(yaml.readAllBytes(), StandardCharsets.UTF_8));
            }
        }
        out.print(form.isJson() ? form.write(Yaml.documents("crd", text.toString())) : text);
        out.flush();
        return ExitCodes.OK;
    }
}
