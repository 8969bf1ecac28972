package dev.sro.core.slicing.pack;

import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.catalogue.SliceProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;

/** Says in words what an inequality counts. */
final class InequalityText {
    private final DeviceModel model;

    InequalityText(DeviceModel model) {
        this.model = model;
    }

    String of(long[] row, long bound) {
        if (matches(row, 1, 1, SliceProfile::computeSlices)) {
            return bound + " compute slices per device";
        }
        if (matches(row, model.memoryUnits(), bound, SliceProfile::size)) {
            return model.memoryUnits() + " memory units per device"
                    + (bound == model.memoryUnits() ? "" : " (in parts of " + model.memoryUnits() / bound + ")");
        }
        for (String engine : model.engineCapacity().keySet().stream().sorted().toList()) {
            int capacity = model.engineCapacity().getOrDefault(engine, 0);
            if (capacity > 0 && matches(row, capacity, bound, p -> p.engines().getOrDefault(engine, 0))) {
                return bound + " of engine " + engine + " per device";
            }
        }
        return weighted(row, bound);
    }

    private boolean matches(long[] row, long scale, long bound, ToIntFunction<SliceProfile> figure) {
        for (int p = 0; p < row.length; p++) {
            if (row[p] * scale != figure.applyAsInt(model.profiles().get(p)) * bound) {
                return false;
            }
        }
        return true;
    }

    private String weighted(long[] row, long bound) {
        List<String> terms = new ArrayList<>();
        boolean plain = true;
        for (int p = 0; p < row.length; p++) {
            if (row[p] > 0) {
                terms.add((row[p] > 1 ? row[p] + " x " : "")
                        + model.profiles().get(p).name());
                plain &= row[p] == 1;
            }
        }
        return "at most " + bound + (plain ? " of " : " of the sum ") + String.join(plain ? ", " : " + ", terms)
                + " per device";
    }
}
