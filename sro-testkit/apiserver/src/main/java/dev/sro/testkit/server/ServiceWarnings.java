package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** What the server warns of in services: fields that count for nothing beside others, and former ones. Stateless. */
final class ServiceWarnings {
    private ServiceWarnings() {}

    static List<String> of(JsonNode service) {
        List<String> warnings = new ArrayList<>();
        String hints = "service.kubernetes.io/topology-aware-hints";
        if (service.path("metadata").path("annotations").has(hints)) {
            warnings.add(
                    "annotation " + hints + " is deprecated, please use service.kubernetes.io/topology-mode instead");
        }
        JsonNode spec = service.path("spec");
        boolean external = Json.text(spec, "type").equals("ExternalName");
        boolean addresses = !spec.path("externalIPs").isEmpty();
        boolean headless = Json.text(spec, "type").equals("ClusterIP")
                && Json.text(spec, "clusterIP").equals("None");
        if (headless && !Json.text(spec, "loadBalancerIP").isEmpty()) {
            warnings.add("spec.loadBalancerIP is ignored for headless services");
        }
        if (headless && addresses) {
            warnings.add("spec.externalIPs is ignored for headless services");
        }
        if (headless && !Json.text(spec, "sessionAffinity").equals("None")) {
            warnings.add("spec.SessionAffinity is ignored for headless services");
        }
        if (addresses && !headless && !external) {
            warnings.add("spec.externalIPs is deprecated and may no longer be implemented in some clusters");
        }
        if (external && addresses) {
            warnings.add("spec.externalIPs is ignored when spec.type is \"ExternalName\"");
        }
        if (!external && !Json.text(spec, "externalName").isEmpty()) {
            warnings.add("spec.externalName is ignored when spec.type is not \"ExternalName\"");
        }
        if (Json.text(spec, "trafficDistribution").equals("PreferClose")) {
            warnings.add("spec.trafficDistribution: \"PreferClose\" is deprecated; use \"PreferSameZone\"");
        }
        return warnings;
    }
}
