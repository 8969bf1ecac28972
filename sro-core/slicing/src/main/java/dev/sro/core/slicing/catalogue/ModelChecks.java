package dev.sro.core.slicing.catalogue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Conditions that a device model must fulfil before anything is computed from it. */
final class ModelChecks {
    private final DeviceModel model;
    private final List<Issue> issues = new ArrayList<>();

    /** What is wrong with a field of a profile, or of the device if {@code profile} is -1. */
    record Issue(int profile, String profileName, String field, String what) {
        String text() {
            return (profile < 0 ? "" : "profile " + profileName + ": ") + field + ": " + what;
        }
    }

    private int current = -1;

    private ModelChecks(DeviceModel model) {
        this.model = model;
    }

    static List<Issue> issues(DeviceModel model) {
        ModelChecks checks = new ModelChecks(model);
        checks.device();
        Set<String> names = new HashSet<>();
        int placements = 0;
        for (int i = 0; i < model.profiles().size(); i++) {
            SliceProfile profile = model.profiles().get(i);
            checks.current = i;
            checks.names(profile, names);
            checks.placements(profile);
            checks.shares(profile);
            placements += profile.starts().size();
        }
        checks.current = -1;
        if (placements > DeviceModel.MAX_PLACEMENTS) {
            checks.add("profiles", placements + " placements in all, at most " + DeviceModel.MAX_PLACEMENTS);
        }
        return checks.issues;
    }

    private void device() {
        if (model.key().isBlank()) {
            add("key", "must not be empty");
        }
        if (model.memoryUnits() < 1 || model.memoryUnits() > DeviceModel.MAX_UNITS) {
            add("memoryUnits", model.memoryUnits() + " is not between 1 and " + DeviceModel.MAX_UNITS);
        }
        if (model.profiles().isEmpty()) {
            add("profiles", "at least one is needed");
        }
        notNegative("engineCapacity", model.engineCapacity());
        notNegative("classLimits", model.classLimits());
    }

    private void notNegative(String field, Map<String, Integer> values) {
        values.forEach((name, value) -> {
            if (value < 0) {
                add(field, name + " " + value + " is negative");
            }
        });
    }

    private void names(SliceProfile profile, Set<String> names) {
        if (profile.name().isBlank()) {
            add("name", "must not be empty");
        }
        if (!names.add(profile.name())) {
            add("name", "is used twice");
        }
        for (String alias : profile.aliases()) {
            if (!names.add(alias)) {
                add("aliases", alias + " is used twice");
            }
        }
    }

    private void placements(SliceProfile profile) {
        if (profile.size() < 1) {
            add("size", profile.size() + " is not positive");
        }
        if (profile.starts().isEmpty()) {
            add("starts", "at least one is needed");
        }
        int before = -1;
        for (int start : profile.starts()) {
            if (start <= before) {
                add("starts", profile.starts() + " is not ascending from 0");
            }
            if (start + profile.size() > model.memoryUnits()) {
                add(
                        "starts",
                        start + " with size " + profile.size() + " ends beyond the " + model.memoryUnits()
                                + " units of the device");
            }
            before = start;
        }
        if (profile.maxInstances() < 1) {
            add("maxInstances", profile.maxInstances() + " is not positive");
        }
    }

    private void shares(SliceProfile profile) {
        notNegative("engines", profile.engines());
        profile.engines().forEach((engine, amount) -> {
            Integer capacity = model.engineCapacity().get(engine);
            if (capacity == null) {
                add("engines", engine + " is not in engineCapacity");
            } else if (amount > capacity) {
                add("engines", engine + " " + amount + " is more than the device's " + capacity);
            }
        });
        if (!profile.limitClass().isEmpty() && !model.classLimits().containsKey(profile.limitClass())) {
            add("limitClass", profile.limitClass() + " is not in classLimits");
        }
    }

    private void add(String field, String what) {
        String name = current < 0 ? "" : model.profiles().get(current).name();
        issues.add(new Issue(current, name, field, what));
    }
}
