package dev.sro.core.module;

import dev.sro.api.resource.SpecialResource;
import dev.sro.api.resource.SpecialResourceModule;
import dev.sro.api.resource.SpecialResourceModuleSpec;
import dev.sro.api.resource.SpecialResourceModuleStatus;
import dev.sro.api.resource.SpecialResourceSpec;
import dev.sro.api.resource.SpecialResourceStatus;
import dev.sro.core.model.MetadataKeys;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Shows modules to the planner as what it knows. Stateless. */
public final class Modules {

    /** No special resource can have such a name: what belongs to one of the same name as a module is not mixed up. */
    private static final String PREFIX = "srm_";

    private Modules() {}

    /** Under which name the objects of a module are kept. */
    static String inventory(String module) {
        return PREFIX + module;
    }

    /** What {@link MetadataKeys#SPECIAL_RESOURCE} says on the objects of a module. */
    public static String label(String module) {
        return MetadataKeys.specialResourceLabel(inventory(module));
    }

    /** Whether an object with this label belongs to a module. */
    public static boolean isLabel(String label) {
        return label.startsWith(PREFIX);
    }

    static SpecialResourceModuleSpec spec(SpecialResourceModule module) {
        SpecialResourceModuleSpec spec = module.getSpec();
        return spec == null ? new SpecialResourceModuleSpec() : spec;
    }

    static String namespace(SpecialResourceModule module) {
        String namespace = spec(module).getNamespace();
        return namespace.isEmpty() ? module.getMetadata().getName() : namespace;
    }

    /**
     * The module as a special resource.
     *
     * @param finalizers as they are now; null for those of the object
     */
    static SpecialResource asSpecialResource(
            SpecialResourceModule module, SpecialResourceStatus status, @Nullable List<String> finalizers) {
        SpecialResource resource = new SpecialResource();
        resource.setKind(SpecialResourceModule.KIND);
        ObjectMetaBuilder metadata = new ObjectMetaBuilder(module.getMetadata())
                .withName(inventory(module.getMetadata().getName()));
        if (finalizers != null) {
            metadata.withFinalizers(finalizers);
        }
        resource.setMetadata(metadata.build());
        SpecialResourceSpec spec = new SpecialResourceSpec();
        spec.setChart(spec(module).getChart());
        spec.setNamespace(namespace(module));
        spec.setSet(spec(module).getSet());
        resource.setSpec(spec);
        resource.setStatus(status);
        return resource;
    }

    /** What of a stored status the planner goes on from. */
    static SpecialResourceStatus before(@Nullable SpecialResourceModuleStatus stored) {
        SpecialResourceStatus status = new SpecialResourceStatus();
        if (stored != null) {
            status.setObservedGeneration(stored.getObservedGeneration());
            status.setConditions(stored.getConditions());
            status.setManagedKinds(stored.getManagedKinds());
            status.setManagedOutside(stored.getManagedOutside());
        }
        return status;
    }
}
