package dev.sro.runtime.slices;

import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.catalogue.SliceProfile;
import dev.sro.runtime.ExitCodes;
import dev.sro.runtime.OutputForm;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Lists the catalogue. */
@Command(
        name = "models",
        mixinStandardHelpOptions = true,
        description = "Lists device models, or one with its profiles.",
        footer = {"", "Exit codes: 0 listed; 2 wrong arguments, an unknown model, or a catalogue that cannot be read."})
final class ModelsCommand implements Callable<Integer> {
    @Mixin
    private Inputs inputs = new Inputs();

    @Parameters(
            arity = "0..1",
            paramLabel = "MODEL",
            defaultValue = "",
            description = "Key, product name or PCI id of one model. Default: all.")
    private String name = "";

    @Mixin
    private OutputForm output = new OutputForm();

    @Override
    public Integer call() {
        Catalogue catalogue = inputs.catalogue();
        List<DeviceModel> models = name.isEmpty() ? catalogue.models() : List.of(catalogue.resolve(name));
        output.print(
                () -> name.isEmpty() ? list(models) : one(models.get(0)),
                () -> models.stream().map(ModelsCommand::tree).toList());
        return ExitCodes.OK;
    }

    private static String list(List<DeviceModel> models) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("MODEL", "SCHEME", "UNITS", "PROFILES", "PLACEMENTS", "PRODUCTS"));
        for (DeviceModel model : models) {
            rows.add(List.of(
                    model.key(),
                    model.scheme(),
                    "" + model.memoryUnits(),
                    "" + model.profiles().size(),
                    model.placementOrigin().text(),
                    String.join(", ", model.products())));
        }
        return Output.table(rows);
    }

    private static String one(DeviceModel model) {
        StringBuilder text = new StringBuilder(model.key() + " (" + model.scheme() + ", "
                + model.placementOrigin().text() + "): " + model.memoryUnits() + " units, engines "
                + new TreeMap<>(model.engineCapacity()) + "\n");
        model.notes().forEach(note -> text.append("note: ").append(note).append('\n'));
        if (!model.pciDeviceIds().isEmpty()) {
            text.append("PCI ids: ")
                    .append(String.join(", ", model.pciDeviceIds()))
                    .append('\n');
        }
        text.append('\n');
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("PROFILE", "SIZE", "STARTS", "MOST", "COMPUTE", "GIB", "ENGINES", "ALSO CALLED"));
        for (SliceProfile profile : model.profiles()) {
            rows.add(List.of(
                    profile.name(),
                    "" + profile.size(),
                    profile.starts().stream().map(String::valueOf).collect(Collectors.joining(" ")),
                    "" + profile.maxInstances(),
                    "" + profile.computeSlices(),
                    profile.memoryGiB().map(String::valueOf).orElse(""),
                    new TreeMap<>(profile.engines())
                            .entrySet().stream().map(Map.Entry::toString).collect(Collectors.joining(" ")),
                    String.join(" ", profile.aliases())));
        }
        return text.append(Output.table(rows)).toString();
    }

    private static Map<String, Object> tree(DeviceModel model) {
        return Output.object(
                "key",
                model.key(),
                "scheme",
                model.scheme(),
                "products",
                List.copyOf(model.products()),
                "pciDeviceIds",
                List.copyOf(model.pciDeviceIds()),
                "memoryUnits",
                model.memoryUnits(),
                "placements",
                model.placementOrigin().text(),
                "engineCapacity",
                new TreeMap<>(model.engineCapacity()),
                "notes",
                model.notes(),
                "profiles",
                model.profiles().stream()
                        .map(profile -> Output.object(
                                "name",
                                profile.name(),
                                "aliases",
                                List.copyOf(profile.aliases()),
                                "size",
                                profile.size(),
                                "starts",
                                profile.starts(),
                                "maxInstances",
                                profile.maxInstances(),
                                "computeSlices",
                                profile.computeSlices(),
                                "engines",
                                new TreeMap<>(profile.engines()),
                                "mode",
                                profile.mode(),
                                "limitClass",
                                profile.limitClass()))
                        .toList());
    }
}
