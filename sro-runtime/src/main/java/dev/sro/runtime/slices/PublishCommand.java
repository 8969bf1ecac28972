package dev.sro.runtime.slices;

import dev.sro.core.dra.DraClasses;
import dev.sro.core.dra.DraNode;
import dev.sro.core.dra.DraPublication;
import dev.sro.core.dra.DraPublisher;
import dev.sro.core.slicing.SliceAllocator;
import dev.sro.core.slicing.SliceDevice;
import dev.sro.core.slicing.SliceSnapshot;
import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.runtime.DocumentForm;
import dev.sro.runtime.ExitCodes;
import dev.sro.runtime.UnusableInputException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints what nodes would publish. */
@Command(
        name = "publish",
        mixinStandardHelpOptions = true,
        description = {
            "Prints the ResourceSlices that nodes publish for Dynamic Resource Allocation, and the DeviceClasses for them.",
            "",
            "Nodes are those of a fleet file, or one of --model. Claims of the fleet have their devices; foreign"
                    + " instances and cordoned devices take theirs out of reach. Nothing is written to a cluster.",
            ""
        },
        footer = {
            "",
            "Exit codes: 0 printed; 2 wrong arguments or input that cannot be read.",
            "",
            "Example:",
            "  sro slices publish --model A100-40GB --count 8 --node worker-1 | kubectl apply -f -"
        })
final class PublishCommand implements Callable<Integer> {
    /** What is printed. */
    enum Part {
        /** ResourceSlices. */
        SLICES,
        /** DeviceClasses. */
        CLASSES,
        /** Both. */
        ALL
    }

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private Inputs inputs = new Inputs();

    @Mixin
    private DraInput dra = new DraInput();

    @Parameters(arity = "0..1", paramLabel = "FLEET", description = "Fleet file, YAML or JSON; - for standard input.")
    private @Nullable Path fleet;

    @Option(names = "--model", paramLabel = "NAME", description = "A node with devices of this model, without a file.")
    private @Nullable String model;

    @Option(
            names = "--count",
            paramLabel = "N",
            defaultValue = "1",
            description = "How many devices --model has. Default: ${DEFAULT-VALUE}.")
    private int count;

    @Option(
            names = "--node",
            paramLabel = "NAME",
            defaultValue = "node-1",
            description = "The node of --model. Default: ${DEFAULT-VALUE}.")
    private String node = "";

    @Option(
            names = "--only",
            paramLabel = "WHAT",
            defaultValue = "all",
            description = "slices, classes or all. Default: ${DEFAULT-VALUE}.")
    private Part only = Part.ALL;

    @Option(names = "--das", description = "Classes for the resources of DAS (mig.das.com/1g.5gb), too.")
    private boolean das;

    @Option(
            names = "--allocator",
            paramLabel = "WHO",
            defaultValue = "scheduler",
            description =
                    "Who gives devices to claims: scheduler, or sro for sro slices allocator, which taints them. Default:"
                            + " ${DEFAULT-VALUE}.")
    private String allocator = "";

    @Mixin
    private DocumentForm form = new DocumentForm();

    PublishCommand() {}

    @Override
    public Integer call() {
        SliceSnapshot snapshot = snapshot();
        DraPublisher publisher = DraPublisher.of(dra.options(allocator));
        List<Object> objects = new ArrayList<>();
        Set<String> notes = new LinkedHashSet<>();
        if (only != Part.SLICES) {
            Set<DeviceModel> models = new LinkedHashSet<>();
            snapshot.devices().forEach(device -> models.add(device.model()));
            objects.addAll(DraClasses.create(models, dra.options(), das));
        }
        if (only != Part.CLASSES) {
            for (DraInput.Node each : DraInput.nodes(snapshot, publisher)) {
                DraPublication publication = publish(publisher, each);
                objects.addAll(publication.slices());
                notes.addAll(publication.notes());
            }
        }
        PrintWriter out = spec.commandLine().getOut();
        out.print(form.writeBeans(objects));
        out.flush();
        PrintWriter err = spec.commandLine().getErr();
        notes.forEach(note -> err.println("note: " + note));
        dra.server().warnings().forEach(warning -> err.println("note: " + warning));
        err.flush();
        return ExitCodes.OK;
    }

    private static DraPublication publish(DraPublisher publisher, DraInput.Node each) {
        DraNode node = each.node();
        try {
            return publisher.publish(node, each.allocated(), List.of());
        } catch (IllegalArgumentException e) {
            throw new UnusableInputException("node " + node.name(), String.valueOf(e.getMessage()));
        }
    }

    private SliceSnapshot snapshot() {
        if ((fleet == null) == (model == null)) {
            throw new UnusableInputException("sro slices publish", "give either a fleet file or --model");
        }
        if (fleet != null) {
            return SliceAllocator.restore(
                            Inputs.document(fleet),
                            inputs.catalogue(),
                            dra.options().policy())
                    .snapshot();
        }
        if (count < 1) {
            throw new UnusableInputException("--count", count + " is not positive");
        }
        DeviceModel found = inputs.catalogue().resolve(String.valueOf(model));
        List<SliceDevice> devices = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            devices.add(SliceDevice.of("GPU-" + (i + 1), found, node));
        }
        return new SliceSnapshot(devices, List.of());
    }
}
