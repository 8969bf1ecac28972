package dev.sro.api.resource;

import java.util.List;
import java.util.Map;

/** The CustomResourceDefinition of SpecialResourceModule. */
final class ModuleCrd {
    private ModuleCrd() {}

    static Map<String, Object> definition() {
        return CrdYaml.definition(
                SpecialResourceModule.class,
                "Drivers that are built in this cluster for the versions of OpenShift that other clusters have.",
                ModuleCrd::rules,
                List.of("Ready", "Progressing", "Degraded"));
    }

    private static void rules(SchemaTree root) {
        root.at("spec").put("description", "What the user wants.");
        root.at("spec.set").without("additionalProperties").put("x-kubernetes-embedded-resource", true);
        root.at("status").put("description", "What was found; written by the engine only.");
        root.at("status.observedGeneration").put("format", "int64").put("minimum", 0);
        root.at("status.managedKinds").put("x-kubernetes-list-type", "set");
        root.at("status.managedOutside").put("x-kubernetes-list-type", "set");
    }
}
