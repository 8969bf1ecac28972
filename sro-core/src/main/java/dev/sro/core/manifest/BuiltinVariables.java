package dev.sro.core.manifest;

import dev.sro.api.Pool;
import dev.sro.core.recipe.RuntimeValues;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The variables that SRO supplies, with the names that SRO's recipes use. Stateless. */
final class BuiltinVariables {

    /** Supplied only where the cluster has one, and nobody else gave a value. */
    static final String DRIVER_TOOLKIT = "driverToolkitImage";

    private BuiltinVariables() {}

    static Variables create(String name, String namespace, Map<String, Object> specialResource, @Nullable Pool pool) {
        Map<String, Object> values = new HashMap<>();
        values.put("name", name);
        values.put("namespace", namespace);
        values.put("specialresource", specialResource);
        if (pool != null) {
            values.put("pool", pool.name());
            values.put("kernelFullVersion", pool.kernel().raw());
            values.put("kernelNormalizedVersion", pool.kernel().normalized());
            values.put("kernelPatchVersion", RuntimeValues.patchVersion(pool));
            values.put("kernelAffinityHash", pool.affinityHash());
            values.put("operatingSystemId", pool.os().id());
            values.put("operatingSystemDecimal", pool.os().version());
            values.put("operatingSystemMajor", pool.os().id() + pool.os().major());
            values.put("operatingSystemMajorMinor", pool.os().toString());
            values.put("architecture", pool.architecture());
            values.put("key", pool.key());
        }
        return Variables.of(values);
    }
}
