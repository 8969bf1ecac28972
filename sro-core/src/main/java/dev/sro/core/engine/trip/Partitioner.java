package dev.sro.core.engine.trip;

import dev.sro.api.Problem;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.engine.port.ClusterReader;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.manifest.PartitionManifests;
import dev.sro.core.partition.AdmissionSettings;
import dev.sro.core.partition.Partition;
import dev.sro.core.partition.Partitions;
import dev.sro.core.recipe.Recipe;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** What a trip does about partitioning. Keeps no state; thread-safe. */
final class Partitioner {

    private final ClusterReader reader;
    private final Supplier<AdmissionSettings> current;

    Partitioner(ClusterReader reader, Supplier<AdmissionSettings> current) {
        this.reader = reader;
        this.current = current;
    }

    /**
     * The partition of a special resource.
     *
     * @param problems which are added to
     * @throws dev.sro.core.recipe.RecipeFailure if the recipe gives no answer
     */
    Partition of(SpecialResource resource, Recipe recipe, List<Problem> problems) {
        Partition partition = Partitions.resolve(resource, recipe);
        problems.addAll(Partitions.check(resource, recipe, partition));
        return partition;
    }

    /**
     * The states with that of partitioning before them, if there is one.
     *
     * @param warnings which are added to
     */
    List<DesiredState> with(
            List<DesiredState> states, SpecialResource resource, Partition partition, List<String> warnings) {
        AdmissionSettings settings = current.get();
        Optional<DesiredState> own = PartitionManifests.state(
                resource,
                partition,
                settings,
                reader.cluster(),
                reader.owned(resource.getMetadata().getName()));
        PartitionManifests.warning(partition, settings, reader.cluster()).ifPresent(warnings::add);
        if (own.isEmpty()) {
            return states;
        }
        List<DesiredState> all = new ArrayList<>(states.size() + 1);
        all.add(own.get());
        all.addAll(states);
        return all;
    }
}
