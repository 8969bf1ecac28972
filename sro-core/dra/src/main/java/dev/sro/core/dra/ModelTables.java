package dev.sro.core.dra;

import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.geometry.Geometry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What is worked out once for a model. Immutable. */
record ModelTables(Geometry geometry, SharedCounters counters, PlacementRanking ranking) {
    static ModelTables of(DeviceModel model, DraOptions options) {
        Geometry geometry = Geometry.of(model);
        return new ModelTables(
                geometry,
                SharedCounters.of(geometry),
                new PlacementRanking(geometry, options.policy().specialise(geometry, options.regime())));
    }

    /** Remembers tables by model; thread-safe. */
    static final class Cache {
        private final Map<DeviceModel, ModelTables> tables = new ConcurrentHashMap<>();
        private final DraOptions options;

        Cache(DraOptions options) {
            this.options = options;
        }

        ModelTables of(DeviceModel model) {
            return tables.computeIfAbsent(model, key -> ModelTables.of(key, options));
        }
    }
}
