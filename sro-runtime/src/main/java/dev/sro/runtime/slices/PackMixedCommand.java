package dev.sro.runtime.slices;

import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.geometry.Geometry;
import dev.sro.core.slicing.pack.Feasibility;
import dev.sro.core.slicing.pack.MixedDemand;
import dev.sro.core.slicing.pack.MixedPacker;
import dev.sro.core.slicing.pack.MixedPacking;
import dev.sro.core.slicing.pack.Packing;
import dev.sro.core.slicing.render.SlicePictures;
import dev.sro.runtime.ExitCodes;
import dev.sro.runtime.OutputForm;
import dev.sro.runtime.UnusableInputException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Packs requests on the cheapest devices of several models. */
@Command(
        name = "pack-mixed",
        mixinStandardHelpOptions = true,
        description = {
            "Packs instances on empty devices of several models, at the least cost.",
            "",
            "Says whether less is possible. Every instance has an explicit start; instances are in the order in which to"
                    + " create them.",
            ""
        },
        footer = {
            "",
            "Exit codes: 0 all is packed; 1 it cannot be, or no way was found, and which of the two is printed; "
                    + "2 wrong arguments or input that cannot be read.",
            "",
            "Example:",
            "  sro slices pack-mixed --offer A100-40GB=10000 --offer A30-24GB=3500:8 --want 1g.5gb/1g.6gb=9,3g.20gb=2"
        })
final class PackMixedCommand implements Callable<Integer> {
    private static final Pattern OFFER = Pattern.compile("(.+)=(\\d{1,10})(?::(\\d{1,18}))?");
    private static final Pattern WANT = Pattern.compile("([^=]+)=(\\d{1,10})");

    @Mixin
    private Inputs inputs = new Inputs();

    @Option(
            names = "--offer",
            required = true,
            paramLabel = "MODEL=PRICE[:STOCK]",
            description =
                    "A model, its price per device in whole numbers of any unit, and how many there are. Default: as many as"
                            + " are needed. May be given more than once.")
    private List<String> offers = new ArrayList<>();

    @Option(
            names = "--want",
            required = true,
            paramLabel = "P[/P...]=N,...",
            description =
                    "How many of which profile; where models have different names for what would do, all of them.")
    private String want = "";

    @Mixin
    private OutputForm output = new OutputForm();

    @Override
    public Integer call() {
        MixedPacking packing = pack();
        output.print(() -> text(packing), () -> tree(packing));
        return packing.found() ? ExitCodes.OK : ExitCodes.FAILED;
    }

    private MixedPacking pack() {
        Catalogue catalogue = inputs.catalogue();
        MixedPacker.Builder builder = MixedPacker.builder();
        List<DeviceModel> models = new ArrayList<>();
        for (String offer : offers) {
            Matcher parts = OFFER.matcher(offer.strip());
            if (!parts.matches()) {
                throw new UnusableInputException(
                        "--offer",
                        "\"" + offer + "\" is not MODEL=PRICE or MODEL=PRICE:STOCK, such as A100-40GB=10000:8");
            }
            DeviceModel model = catalogue.resolve(parts.group(1));
            long stock = parts.group(3) == null ? Long.MAX_VALUE : Long.parseLong(parts.group(3));
            models.add(model);
            try {
                builder.add(Feasibility.of(Geometry.of(model)), Long.parseLong(parts.group(2)), stock);
            } catch (IllegalArgumentException e) {
                throw new UnusableInputException("--offer", String.valueOf(e.getMessage()));
            }
        }
        MixedPacker packer = builder.build();
        try {
            return packer.pack(demands(packer, models));
        } catch (IllegalArgumentException e) {
            throw new UnusableInputException("--want", String.valueOf(e.getMessage()));
        }
    }

    private List<MixedDemand> demands(MixedPacker packer, List<DeviceModel> models) {
        List<MixedDemand> demands = new ArrayList<>();
        for (String part : want.split(",", -1)) {
            Matcher parts = WANT.matcher(part.strip());
            if (!parts.matches()) {
                throw new UnusableInputException("--want", "\"" + part + "\" is not PROFILE=NUMBER, such as 1g.5gb=7");
            }
            String[] names = parts.group(1).split("/", -1);
            for (String name : names) {
                if (models.stream().allMatch(model -> model.indexOf(name) < 0)) {
                    ProfileArguments.profile(models.get(0), "--want", name);
                }
            }
            demands.add(packer.demand(Long.parseLong(parts.group(2)), names));
        }
        return demands;
    }

    private static String summary(MixedPacking packing) {
        return switch (packing.verdict()) {
            case OPTIMAL -> "cost " + packing.cost() + ": less is impossible";
            case WITHIN_BOUND ->
                "cost " + packing.cost() + ": at least " + packing.lowerBound() + " is needed, " + packing.gap()
                        + " more than proved";
            case INFEASIBLE -> "the devices that are offered cannot carry this, however it is arranged";
            case NOT_FOUND -> "no way was found to carry this, and it is not proved that there is none";
        };
    }

    private static String text(MixedPacking packing) {
        StringBuilder text = new StringBuilder(summary(packing)).append('\n');
        for (Packing part : packing.packings()) {
            if (part.devices() > 0) {
                text.append('\n').append(SlicePictures.create().text(PackCommand.views(part)));
            }
        }
        return text.toString();
    }

    private static Object tree(MixedPacking packing) {
        return Output.object(
                "verdict",
                packing.verdict().name().toLowerCase(Locale.ROOT).replace('_', '-'),
                "cost",
                packing.cost(),
                "lowerBound",
                packing.lowerBound(),
                "models",
                packing.packings().stream().map(PackCommand::tree).toList());
    }
}
