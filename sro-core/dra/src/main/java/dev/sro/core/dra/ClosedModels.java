package dev.sro.core.dra;

import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.slicing.catalogue.DeviceModel;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Models of GPUs of which something is closed, by the keys that certificates have: {@code A30-24GB without 0x3}, or without places by name.
 * So one can be checked where no such GPU is published any more. Stateless.
 */
public final class ClosedModels {
    /** Between the key of a model and what it is without. */
    static final String WITHOUT = " without ";

    /** Between places. */
    static final String AND = ", ";

    private static final Pattern UNITS = Pattern.compile("0x[0-9a-f]{1,7}");

    private static final int HEX = 16;

    private ClosedModels() {}

    /** The model of this key, whether something is closed or not; empty if no GPU of the catalogue is it. */
    public static Optional<DeviceModel> find(String key, Catalogue catalogue) {
        List<String> parts = List.of(key.split(WITHOUT, -1));
        Optional<DeviceModel> model =
                catalogue.find(parts.get(0)).filter(known -> known.key().equals(parts.get(0)));
        for (String closed : parts.subList(1, parts.size())) {
            model = model.flatMap(open -> without(open, closed));
        }
        return model.filter(found -> found.key().equals(key));
    }

    private static Optional<DeviceModel> without(DeviceModel model, String closed) {
        if (!UNITS.matcher(closed).matches()) {
            return BarredPlaces.without(model, new TreeSet<>(List.of(closed.split(AND, -1))));
        }
        int units = Integer.parseInt(closed.substring(2), HEX);
        return units >>> model.memoryUnits() == 0 ? model.without(units, Map.of()) : Optional.empty();
    }
}
