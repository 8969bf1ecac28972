package dev.sro.agent.plugin;

import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.geometry.Geometry;
import dev.sro.core.slicing.policy.Policies;
import dev.sro.core.slicing.policy.PolicyTable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** What can be on a GPU of a model at a time, and what is best next. Immutable. */
final class GpuTables {
    private final Geometry geometry;
    private final PolicyTable policy;
    private final Map<String, Integer> profiles = new HashMap<>();
    private final String model;

    GpuTables(DeviceModel model) {
        this.model = model.key();
        geometry = Geometry.of(model);
        policy = PolicyTable.of(geometry, Policies.standard());
        for (int profile = 0; profile < geometry.profiles(); profile++) {
            int index = profile;
            geometry.profile(profile).aliases().forEach(alias -> profiles.putIfAbsent(alias, index));
        }
        for (int profile = 0; profile < geometry.profiles(); profile++) {
            profiles.put(geometry.profile(profile).name(), profile);
        }
    }

    /** Key of the model in the catalogue. */
    String model() {
        return model;
    }

    /** What these places are together; empty if they cannot be on a GPU at a time. */
    OptionalInt layout(List<PluginPlace> places) {
        long set = 0;
        for (PluginPlace place : places) {
            Integer profile = profiles.get(place.profile());
            int placement = profile == null ? -1 : geometry.placement(profile, place.start());
            if (placement < 0 || (set >>> placement & 1) != 0) {
                return OptionalInt.empty();
            }
            set |= 1L << placement;
        }
        int layout = geometry.layoutOf(set);
        return layout < 0 ? OptionalInt.empty() : OptionalInt.of(layout);
    }

    /** The first unit at which the policy puts a slice of the profile; empty if none fits. */
    OptionalInt next(int layout, String profile) {
        Integer index = profiles.get(profile);
        int placement = index == null ? PolicyTable.NONE : policy.placement(geometry.occupancyOf(layout), index);
        return placement == PolicyTable.NONE ? OptionalInt.empty() : OptionalInt.of(geometry.startOf(placement));
    }

    /** How gladly the policy takes a GPU in this state for a slice of the profile: the least is the best. */
    int order(int layout, String profile) {
        Integer index = profiles.get(profile);
        return index == null ? PolicyTable.NONE : policy.order(geometry.occupancyOf(layout), index);
    }
}
