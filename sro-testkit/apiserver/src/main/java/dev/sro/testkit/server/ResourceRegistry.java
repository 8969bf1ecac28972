package dev.sro.testkit.server;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The resource types that a server serves: the built-in ones and those that CustomResourceDefinitions add. Thread-safe.
 */
public final class ResourceRegistry {
    private final Map<Gvr, ResourceType> types = new ConcurrentSkipListMap<>();

    /** The registry of a plain Kubernetes server. */
    public static ResourceRegistry kubernetes() {
        ResourceRegistry registry = new ResourceRegistry();
        BuiltInTypes.kubernetes().forEach(registry::add);
        return registry;
    }

    /** Adds the types of OpenShift that SRO has to do with. */
    public ResourceRegistry withOpenShift() {
        BuiltInTypes.openShift().forEach(this::add);
        return this;
    }

    /** The type at this place. */
    public Optional<ResourceType> find(Gvr gvr) {
        return Optional.ofNullable(types.get(gvr));
    }

    /** The type of objects with this apiVersion and kind. */
    public Optional<ResourceType> find(String apiVersion, String kind) {
        return types.values().stream()
                .filter(t -> t.kind().equals(kind) && t.apiVersion().equals(apiVersion))
                .findFirst();
    }

    /** All types, sorted by group, plural and version. */
    public Collection<ResourceType> all() {
        return List.copyOf(types.values());
    }

    void add(ResourceType type) {
        types.put(type.gvr(), type);
    }

    void remove(Gvr gvr) {
        types.remove(gvr);
    }
}
