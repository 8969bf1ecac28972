package dev.sro.core.slicing.catalogue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a device model must fulfil before anything is computed from it. */
final class ModelChecks {
    private final DeviceModel model;
    private final List<String> errors = new ArrayList<>();

    private ModelChecks(DeviceModel model) {
        this.model = model;
    }

    static List<String> errors(DeviceModel model) {
        ModelChecks checks = new ModelChecks(model);
        checks.device();
        Set<String> names = new HashSet<>();
        int placements = 0;
        for (SliceProfile profile : model.profiles()) {
            checks.names(profile, names);
            checks.placements(profile);
            checks.shares(profile);
            placements += profile.starts().size();
        }
        if (placements > DeviceModel.MAX_PLACEMENTS) {
            checks.add("profiles: " + placements + " placements in all, at most " + DeviceModel.MAX_PLACEMENTS);
        }
        return checks.errors;
    }

    private void device() {
        if (model.key().isBlank()) {
            add("key: must not be empty");
        }
        if (model.memoryUnits() < 1 || model.memoryUnits() > DeviceModel.MAX_UNITS) {
            add("memoryUnits: " + model.memoryUnits() + " is not between 1 and " + DeviceModel.MAX_UNITS);
        }
        if (model.profiles().isEmpty()) {
            add("profiles: at least one is needed");
        }
        notNegative("engineCapacity", model.engineCapacity());
        notNegative("classLimits", model.classLimits());
    }

    private void notNegative(String field, Map<String, Integer> values) {
        values.forEach((name, value) -> {
            if (value < 0) {
                add(field + "." + name + ": " + value + " is negative");
            }
        });
    }

    private void names(SliceProfile profile, Set<String> names) {
        if (profile.name().isBlank()) {
            add("profiles: a profile has no name");
        }
        if (!names.add(profile.name())) {
            add(profile, "name", "is used twice");
        }
        for (String alias : profile.aliases()) {
            if (!names.add(alias)) {
                add(profile, "aliases", alias + " is used twice");
            }
        }
    }

    private void placements(SliceProfile profile) {
        if (profile.size() < 1) {
            add(profile, "size", profile.size() + " is not positive");
        }
        if (profile.starts().isEmpty()) {
            add(profile, "starts", "at least one is needed");
        }
        int before = -1;
        for (int start : profile.starts()) {
            if (start <= before) {
                add(profile, "starts", profile.starts() + " is not ascending from 0");
            }
            if (start + profile.size() > model.memoryUnits()) {
                add(
                        profile,
                        "starts",
                        start + " with size " + profile.size() + " ends beyond the " + model.memoryUnits()
                                + " units of the device");
            }
            before = start;
        }
        if (profile.maxInstances() < 1) {
            add(profile, "maxInstances", profile.maxInstances() + " is not positive");
        }
    }

    private void shares(SliceProfile profile) {
        notNegative("profile " + profile.name() + ": engines", profile.engines());
        profile.engines().forEach((engine, amount) -> {
            Integer capacity = model.engineCapacity().get(engine);
            if (capacity == null) {
                add(profile, "engines", engine + " is not in engineCapacity");
            } else if (amount > capacity) {
                add(profile, "engines", engine + " " + amount + " is more than the device's " + capacity);
            }
        });
        if (!profile.limitClass().isEmpty() && !model.classLimits().containsKey(profile.limitClass())) {
            add(profile, "limitClass", profile.limitClass() + " is not in classLimits");
        }
    }

    private void add(SliceProfile profile, String field, String what) {
        add("profile " + profile.name() + ": " + field + ": " + what);
    }

    private void add(String what) {
        errors.add("device model " + model.key() + ": " + what);
    }
}
