package dev.sro.runtime.slices;

import dev.sro.core.slicing.SliceDevice;
import dev.sro.core.slicing.geometry.Geometry;
import dev.sro.core.slicing.mig.MigConfig;
import dev.sro.core.slicing.mig.MigDevice;
import dev.sro.core.slicing.mig.MigInstance;
import dev.sro.core.slicing.mig.MigLayout;
import dev.sro.core.slicing.render.DeviceView;
import dev.sro.core.slicing.render.SlicePictures;
import dev.sro.runtime.ExitCodes;
import dev.sro.runtime.OutputForm;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Resolves a mig-parted configuration. */
@Command(
        name = "mig",
        mixinStandardHelpOptions = true,
        description = {
            "Says what a mig-parted configuration means for the devices of a node.",
            "",
            "Every instance has an explicit start; instances are in the order in which to create them. FLEET lists the"
                    + " devices of the node in the order of their index; what they carry is not looked at.",
            ""
        },
        footer = {
            "",
            "Exit codes: 0 it can be applied; 1 it cannot, and why is printed; 2 wrong arguments or input that cannot "
                    + "be read."
        })
final class MigCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private FleetInput fleet = new FleetInput();

    @Option(names = "--config", required = true, paramLabel = "FILE", description = "mig-parted file; - for stdin.")
    private Path config = Path.of("");

    @Option(names = "--select", required = true, paramLabel = "NAME", description = "The configuration to resolve.")
    private String name = "";

    @Option(
            names = {"-o", "--output", "--format"},
            paramLabel = "FORMAT",
            defaultValue = "text",
            description = "text (or table), json, yaml or svg. Default: ${DEFAULT-VALUE}.")
    private Format format = Format.TEXT;

    @Override
    public Integer call() {
        Output.allow(spec, format, Format.TEXT, Format.JSON, Format.YAML, Format.SVG);
        List<SliceDevice> devices = fleet.read().devices();
        List<MigDevice> migDevices = new ArrayList<>();
        for (SliceDevice device : devices) {
            migDevices.add(new MigDevice(migDevices.size(), device.model()));
        }
        return MigConfig.read(Inputs.document(config))
                .resolve(name, migDevices)
                .map(
                        resolved -> {
                            print(devices, resolved.layouts());
                            return ExitCodes.OK;
                        },
                        refused -> {
                            refused.problems()
                                    .forEach(problem ->
                                            spec.commandLine().getErr().println("sro: " + problem));
                            return ExitCodes.FAILED;
                        });
    }

    private void print(List<SliceDevice> devices, List<MigLayout> layouts) {
        List<DeviceView> views = new ArrayList<>();
        for (MigLayout layout : layouts) {
            SliceDevice device = devices.get(layout.device());
            Geometry geometry = Geometry.of(device.model());
            List<DeviceView.Instance> instances = layout.instances().stream()
                    .map(instance -> new DeviceView.Instance(
                            geometry.placement(device.model().indexOf(instance.profile()), instance.start()),
                            compute(instance),
                            false))
                    .toList();
            views.add(new DeviceView(device.id(), 1, geometry, device.node(), false, instances));
        }
        PrintWriter out = spec.commandLine().getOut();
        out.print(
                switch (format) {
                    case JSON -> OutputForm.json(layouts);
                    case YAML -> OutputForm.yaml(layouts);
                    case SVG -> SlicePictures.create().svg("Configuration " + name, views);
                    default -> SlicePictures.create().text(views);
                });
        out.flush();
    }

    private static String compute(MigInstance instance) {
        return String.join(
                "+", instance.compute().stream().map(slices -> slices + "c").toList());
    }
}
