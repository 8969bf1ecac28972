package dev.sro.core.slicing.mig;

import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.geometry.Geometry;
import dev.sro.core.slicing.input.Suggestions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds for each device the entry that decides, and for its instances a place each. */
final class MigResolver {
    private final MigConfig config;
    private final Map<DeviceModel, Geometry> geometries = new HashMap<>();
    private final List<String> problems = new ArrayList<>();

    MigResolver(MigConfig config) {
        this.config = config;
    }

    MigResolution resolve(String name, List<MigDevice> devices) {
        List<MigEntry> entries = config.configs().get(name);
        if (entries == null) {
            return new MigResolution.Refused(List.of("no configuration is called " + name
                    + Suggestions.hint(name, config.configs().keySet())));
        }
        List<MigLayout> layouts = new ArrayList<>();
        for (MigDevice device : devices) {
            String where = "configuration " + name + ": device " + device.index();
            Optional<MigEntry> decides =
                    entries.stream().filter(entry -> entry.isAbout(device)).reduce((first, second) -> second);
            if (decides.isEmpty()) {
                problems.add(where + ": no entry is about it"
                        + device.model().map(model -> " (" + model.key() + ")").orElse(""));
            } else {
                layout(where, device, decides.get()).ifPresent(layouts::add);
            }
        }
        return problems.isEmpty() ? new MigResolution.Resolved(layouts) : new MigResolution.Refused(problems);
    }

    private Optional<MigLayout> layout(String where, MigDevice device, MigEntry entry) {
        if (!entry.migEnabled()) {
            return Optional.of(new MigLayout(device.index(), false, List.of()));
        }
        if (device.model().isEmpty()) {
            problems.add(where + ": cannot be sliced, but mig-enabled is true for it");
            return Optional.empty();
        }
        Geometry geometry = geometries.computeIfAbsent(device.model().get(), Geometry::of);
        RequestedInstances wish = new RequestedInstances(geometry.model());
        entry.migDevices()
                .forEach((profile, count) ->
                        wish.add(profile, count).ifPresent(problem -> problems.add(where + ": " + problem)));
        if (!wish.valid()) {
            return Optional.empty();
        }
        int[] counts = wish.counts();
        int layout = OneDevice.layout(geometry, counts);
        if (layout < 0) {
            problems.add(where + " (" + geometry.model().key() + "): " + OneDevice.text(geometry, counts)
                    + " do not fit together; at most " + OneDevice.text(geometry, OneDevice.most(geometry, counts))
                    + " of them do");
            return Optional.empty();
        }
        return Optional.of(new MigLayout(device.index(), true, wish.place(geometry, layout)));
    }
}
