package dev.sro.runtime.slices;

import dev.sro.core.slicing.SliceSnapshot;
import dev.sro.core.slicing.render.SlicePictures;
import dev.sro.runtime.ExitCodes;
import dev.sro.runtime.OutputForm;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Draws a fleet. */
@Command(
        name = "show",
        mixinStandardHelpOptions = true,
        description = "Draws a fleet: which claim sits where, and what still fits.",
        footer = {"", "Exit codes: 0 drawn; 2 wrong arguments or input that cannot be read."})
final class ShowCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private FleetInput fleet = new FleetInput();

    @Option(
            names = {"-o", "--output", "--format"},
            paramLabel = "FORMAT",
            defaultValue = "text",
            description = "text (or table), json, yaml, svg or fleet. Default: ${DEFAULT-VALUE}.")
    private Format format = Format.TEXT;

    @Option(
            names = "--most-devices",
            paramLabel = "N",
            defaultValue = "" + SlicePictures.DEFAULT_DEVICES,
            description = "Above so many devices, those that look the same are counted. Default: ${DEFAULT-VALUE}.")
    private int mostDevices;

    @Override
    public Integer call() {
        Output.allow(spec, format, Format.TEXT, Format.JSON, Format.YAML, Format.SVG, Format.FLEET);
        SliceSnapshot snapshot = fleet.read().snapshot();
        SlicePictures pictures = SlicePictures.create().mostDevices(Math.max(0, mostDevices));
        PrintWriter out = spec.commandLine().getOut();
        out.print(
                switch (format) {
                    case JSON -> OutputForm.json(Output.fleet(snapshot));
                    case YAML -> OutputForm.yaml(Output.fleet(snapshot));
                    case FLEET -> snapshot.toJson();
                    case SVG -> pictures.svg("Slices", snapshot);
                    default -> pictures.text(snapshot);
                });
        out.flush();
        return ExitCodes.OK;
    }
}
