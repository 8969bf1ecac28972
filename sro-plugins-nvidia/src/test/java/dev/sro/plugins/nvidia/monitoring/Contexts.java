package dev.sro.plugins.nvidia.monitoring;

import dev.sro.api.ClusterFacts;
import dev.sro.api.RecipeContext;
import dev.sro.api.resource.SpecialResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.Map;

/** Special resources with settings of monitoring. */
final class Contexts {

    private Contexts() {}

    static RecipeContext with(Object settings) {
        SpecialResource resource = new SpecialResource();
        resource.setMetadata(new ObjectMetaBuilder().withName("gpu").build());
        return new RecipeContext(resource, ClusterFacts.builder().build(), Map.of(MonitoringSettings.KEY, settings));
    }
}
