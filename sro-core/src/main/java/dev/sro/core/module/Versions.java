package dev.sro.core.module;

import dev.sro.api.resource.SpecialResourceModuleSpec;
import dev.sro.core.image.RegistrySettings;
import java.io.IOException;
import java.util.Optional;
import java.util.SortedSet;

/** Knows what versions are. May block; thread-safe. */
interface Versions {

    /** All that are to be built for, where that is known; empty where what is watched says it. */
    default Optional<SortedSet<String>> all() {
        return Optional.empty();
    }

    /** @throws IOException if it cannot be found out; the message says why */
    ModuleVersion resolve(String value, String architecture, SpecialResourceModuleSpec spec, RegistrySettings settings)
            throws IOException;
}
