package dev.sro.core.module;

import dev.sro.api.Outcome;
import dev.sro.api.resource.ModuleWatch;
import dev.sro.api.resource.SpecialResourceModule;
import dev.sro.api.resource.SpecialResourceModuleStatus;
import dev.sro.core.apply.WriteException;
import dev.sro.core.model.KubeObject;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Port: modules, and the objects that they watch. Answers from memory, but for the write; implementations are thread-safe. */
public interface ModuleStore {

    /**
     * What is seen of a watch.
     *
     * @param obstacle why it cannot be seen now: Waiting while a cache fills, Failed when it may not be listed or is not served
     */
    record Observed(List<KubeObject> objects, Optional<Outcome> obstacle) {
        /** Copies. */
        public Observed {
            objects = List.copyOf(objects);
        }
    }

    /** The module of this name, never older than what was written here. */
    Optional<SpecialResourceModule> find(String name);

    /** All modules. */
    Collection<SpecialResourceModule> all();

    /** The objects of a watch, and sees to it that they are watched. */
    Observed observed(ModuleWatch watch);

    /** Writes a status, with one request. */
    void writeStatus(SpecialResourceModule module, SpecialResourceModuleStatus status) throws WriteException;
}
