package dev.sro.runtime.slices;

import dev.sro.core.slicing.SliceRequest;
import dev.sro.core.slicing.SliceSnapshot;
import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.geometry.Geometry;
import dev.sro.core.slicing.mig.MigConfig;
import dev.sro.core.slicing.mig.MigInstance;
import dev.sro.core.slicing.mig.MigLayout;
import dev.sro.core.slicing.pack.CreationOrder;
import dev.sro.core.slicing.pack.Feasibility;
import dev.sro.core.slicing.pack.Packer;
import dev.sro.core.slicing.pack.Packing;
import dev.sro.core.slicing.render.DeviceView;
import dev.sro.core.slicing.render.SlicePictures;
import dev.sro.runtime.ExitCodes;
import dev.sro.runtime.OutputForm;
import dev.sro.runtime.UnusableInputException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Packs requests on the fewest empty devices. */
@Command(
        name = "pack",
        mixinStandardHelpOptions = true,
        description = {
            "Packs instances on the fewest empty devices of one model.",
            "",
            "Says whether fewer devices are possible. Every instance has an explicit start; instances are in the order in"
                    + " which to create them.",
            ""
        },
        footer = {
            "",
            "Exit codes: 0 all is packed; 1 with --devices: not all fits, the rest is printed; "
                    + "2 wrong arguments or input that cannot be read.",
            "",
            "Example:",
            "  sro slices pack --model A100-40GB --want 3g.20gb=5,1g.5gb=9 -o mig"
        })
final class PackCommand implements Callable<Integer> {
    /** A mig-parted configuration is for the devices of one node. */
    private static final long MOST_MIG_DEVICES = 64;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private Inputs inputs = new Inputs();

    @Option(names = "--model", required = true, paramLabel = "MODEL", description = "Key, product name or PCI id.")
    private String name = "";

    @Option(names = "--want", paramLabel = "P=N,...", description = "How many of which profile.")
    private @Nullable String want;

    @Option(
            names = "--requests",
            paramLabel = "FILE",
            description = "Requests file, YAML or JSON, instead of --want; constraints are not looked at.")
    private @Nullable Path requests;

    @Option(names = "--devices", paramLabel = "N", description = "Use at most so many; widest profiles first.")
    private @Nullable Long devices;

    @Option(
            names = {"-o", "--output", "--format"},
            paramLabel = "FORMAT",
            defaultValue = "text",
            description =
                    "text (or table), json, yaml, svg, mig (a mig-parted configuration) or fleet (a fleet file). Default: ${DEFAULT-VALUE}.")
    private Format format = Format.TEXT;

    @Override
    public Integer call() {
        DeviceModel model = inputs.catalogue().resolve(name);
        Geometry geometry = Geometry.of(model);
        long[] counts = counts(model);
        if (devices != null && devices < 0) {
            throw new UnusableInputException("--devices", devices + " is negative");
        }
        Packer packer = Packer.of(Feasibility.of(geometry));
        Packing packing = devices == null ? packer.pack(counts) : packer.packInto(devices, counts);
        PrintWriter out = spec.commandLine().getOut();
        out.print(
                switch (format) {
                    case JSON -> OutputForm.json(tree(packing));
                    case YAML -> OutputForm.yaml(tree(packing));
                    case SVG -> SlicePictures.create().svg(summary(packing), views(packing));
                    case MIG -> config(packing).toYaml();
                    case FLEET -> OutputForm.json(fleet(packing));
                    case TEXT, TABLE -> text(packing);
                });
        out.flush();
        return packing.complete() ? ExitCodes.OK : ExitCodes.FAILED;
    }

    private long[] counts(DeviceModel model) {
        if ((want == null) == (requests == null)) {
            throw new UnusableInputException("sro slices pack", "give either --want or --requests");
        }
        if (want != null) {
            return ProfileArguments.counts(model, "--want", want);
        }
        long[] counts = new long[model.profiles().size()];
        for (RequestsFile.Gang gang : RequestsFile.read(Inputs.document(requests))) {
            for (SliceRequest request : gang.requests()) {
                counts[ProfileArguments.profile(model, requests + ": " + request.claim(), request.profile())]++;
            }
        }
        return counts;
    }

    private static String summary(Packing packing) {
        String proof = packing.gap() == 0
                ? "fewer are impossible"
                : "at least " + packing.lowerBound() + " are needed, " + packing.gap() + " more than proved";
        return packing.devices() + (packing.devices() == 1 ? " device of " : " devices of ")
                + packing.geometry().model().key() + ": " + proof;
    }

    private static String text(Packing packing) {
        StringBuilder text = new StringBuilder(summary(packing)).append("\n");
        if (!packing.complete()) {
            text.append("left over: ")
                    .append(ProfileArguments.text(packing.geometry().model(), packing.leftOver()))
                    .append('\n');
        }
        text.append('\n');
        return text.append(SlicePictures.create().text(views(packing))).toString();
    }

    static List<DeviceView> views(Packing packing) {
        return packing.groups().stream()
                .map(group -> DeviceView.ofLayout(group.devices(), packing.geometry(), group.layout()))
                .toList();
    }

    private static List<Object> instances(Geometry geometry, int layout) {
        return CreationOrder.find(geometry, layout).stream()
                .<Object>map(placement -> Output.object(
                        "profile",
                        geometry.profile(geometry.profileOf(placement)).name(),
                        "start",
                        geometry.startOf(placement)))
                .toList();
    }

    private static Map<String, Object> fleet(Packing packing) {
        List<Object> devices = new ArrayList<>();
        for (Packing.Group group : packing.groups()) {
            devices.add(Output.object(
                    "name",
                    "packed-" + devices.size(),
                    "model",
                    packing.geometry().model().key(),
                    "count",
                    group.devices(),
                    "instances",
                    instances(packing.geometry(), group.layout())));
        }
        return Output.object("schema", SliceSnapshot.SCHEMA, "devices", devices);
    }

    static Map<String, Object> tree(Packing packing) {
        Geometry geometry = packing.geometry();
        List<Object> groups = new ArrayList<>();
        for (Packing.Group group : packing.groups()) {
            groups.add(Output.object("devices", group.devices(), "instances", instances(geometry, group.layout())));
        }
        List<Object> left = new ArrayList<>();
        for (int profile = 0; profile < geometry.profiles(); profile++) {
            if (packing.leftOver().get(profile) > 0) {
                left.add(Output.object(
                        "profile",
                        geometry.profile(profile).name(),
                        "count",
                        packing.leftOver().get(profile)));
            }
        }
        return Output.object(
                "model",
                geometry.model().key(),
                "devices",
                packing.devices(),
                "lowerBound",
                packing.lowerBound(),
                "gap",
                packing.gap(),
                "groups",
                groups,
                "leftOver",
                left);
    }

    private static MigConfig config(Packing packing) {
        Geometry geometry = packing.geometry();
        if (!geometry.model().scheme().equals("mig")) {
            throw new UnusableInputException(
                    "-o mig",
                    geometry.model().key() + " is of the scheme "
                            + geometry.model().scheme());
        }
        if (packing.devices() > MOST_MIG_DEVICES) {
            throw new UnusableInputException("-o mig", packing.devices() + " devices are more than a node has");
        }
        List<MigLayout> layouts = new ArrayList<>();
        for (Packing.Group group : packing.groups()) {
            List<MigInstance> instances = CreationOrder.find(geometry, group.layout()).stream()
                    .map(placement -> new MigInstance(
                            geometry.profile(geometry.profileOf(placement)).name(),
                            geometry.startOf(placement),
                            geometry.sizeOf(geometry.profileOf(placement)),
                            List.of()))
                    .toList();
            for (int i = 0; i < group.devices(); i++) {
                layouts.add(new MigLayout(layouts.size(), true, instances));
            }
        }
        return MigConfig.of("packed", layouts);
    }
}
