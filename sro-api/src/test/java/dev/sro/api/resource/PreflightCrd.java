package dev.sro.api.resource;

import java.util.List;
import java.util.Map;

/** The CustomResourceDefinition of PreflightValidation. */
final class PreflightCrd {
    private PreflightCrd() {}

    static Map<String, Object> definition() {
        return CrdYaml.definition(
                PreflightValidation.class,
                "The question whether the special resources of the cluster are ready for a kernel to come, and the"
                        + " answer.",
                PreflightCrd::rules,
                List.of("Verified"));
    }

    private static void rules(SchemaTree root) {
        root.at("spec").put("description", "What to check for.");
        root.at("status").put("description", "What was found; written by the engine only.");
        root.at("status.observedGeneration").put("format", "int64").put("minimum", 0);
        root.at("status.srStatuses").listMap("name");
        root.at("status.targets").listMap("architecture");
        root.at("status.srStatuses[].lastTransitionTime").put("format", "date-time");
        root.at("status.srStatuses[].observedGeneration").put("format", "int64").put("minimum", 0);
        root.at("status.srStatuses[].evidence").put("x-kubernetes-list-type", "atomic");
    }
}
