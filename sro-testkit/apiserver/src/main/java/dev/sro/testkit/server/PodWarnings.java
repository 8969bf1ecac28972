package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sro.testkit.schema.GoText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the server warns of in the spec of a pod or of a template of one, in its order. One use. */
final class PodWarnings {
    private static final String NO_POD = "a null labelSelector results in matching no pod";
    private static final List<String> CONTAINERS = List.of("initContainers", "containers", "ephemeralContainers");
    /** Volumes of plugins that are no more: field, and what is said of it, which names some of them otherwise. */
    private static final List<String> FORMER_VOLUMES = List.of(
            "photonPersistentDisk photonPersistentDisk: deprecated in v1.11, non-functional in v1.16+",
            "gitRepo gitRepo: deprecated in v1.11, and disabled by default in v1.33+",
            "scaleIO scaleIO: deprecated in v1.16, non-functional in v1.22+",
            "flocker flocker: deprecated in v1.22, non-functional in v1.25+",
            "storageos storageOS: deprecated in v1.22, non-functional in v1.25+",
            "quobyte quobyte: deprecated in v1.22, non-functional in v1.25+",
            "glusterfs glusterfs: deprecated in v1.25, non-functional in v1.26+",
            "cephfs cephfs: deprecated in v1.28, non-functional in v1.31+",
            "rbd rbd: deprecated in v1.28, non-functional in v1.31+");

    private final JsonNode spec;
    private final String path;
    private final List<String> warnings = new ArrayList<>();

    private PodWarnings(JsonNode spec, String path) {
        this.spec = spec;
        this.path = path;
    }

    /** @param path of the spec */
    static List<String> of(JsonNode spec, String path) {
        PodWarnings all = new PodWarnings(spec, path);
        all.scheduling();
        all.volumes();
        all.names();
        for (String list : CONTAINERS) {
            for (int c = 0; c < spec.path(list).size(); c++) {
                JsonNode container = spec.path(list).get(c);
                String at = path + "." + list + "[" + c + "]";
                all.bytes(container.path("resources"), at + ".resources");
                all.env(container.path("env"), at + ".env");
            }
        }
        all.ports();
        if (spec.path("terminationGracePeriodSeconds").asLong() < 0) {
            all.warnings.add(path + ".terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will"
                    + " be treated as 1");
        }
        all.affinity("podAffinity");
        all.affinity("podAntiAffinity");
        return all.warnings;
    }

    private void scheduling() {
        spec.path("nodeSelector").fieldNames().forEachRemaining(key -> {
            String former = NodeLabels.former(key);
            if (!former.isEmpty()) {
                warnings.add(path + ".nodeSelector[" + key + "]: " + former);
            }
        });
        JsonNode nodes = spec.path("affinity").path("nodeAffinity");
        String required = "requiredDuringSchedulingIgnoredDuringExecution";
        String preferred = "preferredDuringSchedulingIgnoredDuringExecution";
        String at = path + ".affinity.nodeAffinity.";
        JsonNode terms = nodes.path(required).path("nodeSelectorTerms");
        for (int i = 0; i < terms.size(); i++) {
            warnings.addAll(NodeLabels.ofTerm(terms.get(i), false, at + required + ".nodeSelectorTerms[" + i + "]"));
        }
        for (int i = 0; i < nodes.path(preferred).size(); i++) {
            JsonNode term = nodes.path(preferred).get(i).path("preference");
            warnings.addAll(NodeLabels.ofTerm(term, true, at + preferred + "[" + i + "].preference"));
        }
        for (int i = 0; i < spec.path("topologySpreadConstraints").size(); i++) {
            JsonNode spread = spec.path("topologySpreadConstraints").get(i);
            String one = path + ".topologySpreadConstraints[" + i + "]";
            String key = Json.text(spread, "topologyKey");
            if (!NodeLabels.former(key).isEmpty()) {
                warnings.add(one + ".topologyKey: " + key + " is " + NodeLabels.former(key));
            }
            if (!spread.hasNonNull("labelSelector")) {
                warnings.add(one + ".labelSelector: " + NO_POD);
            }
        }
    }

    private void volumes() {
        for (int i = 0; i < spec.path("volumes").size(); i++) {
            JsonNode volume = spec.path("volumes").get(i);
            String at = path + ".volumes[" + i + "].";
            for (String former : FORMER_VOLUMES) {
                int space = former.indexOf(' ');
                if (volume.path(former.substring(0, space)).isObject()) {
                    warnings.add(at + former.substring(space + 1));
                }
            }
            JsonNode claim =
                    volume.path("ephemeral").path("volumeClaimTemplate").path("spec");
            warnings.addAll(StorageWarnings.ofClaim(claim, at + "ephemeral.volumeClaimTemplate.spec"));
        }
        for (JsonNode volume : spec.path("volumes")) {
            JsonNode projected = volume.path("projected");
            if (projected.isObject() && projected.path("sources").isEmpty()) {
                warnings.add("volume \"" + Json.text(volume, "name") + "\" (Projected) has no sources provided");
            }
        }
    }

    private void names() {
        doubles("hostAliases", "ip");
        doubles("imagePullSecrets", "name");
        for (int i = 0; i < spec.path("imagePullSecrets").size(); i++) {
            if (Json.text(spec.path("imagePullSecrets").get(i), "name").isEmpty()) {
                warnings.add(path + ".imagePullSecrets[" + i + "].name: invalid empty name \"\"");
            }
        }
        for (String name : List.of("memory", "ephemeral-storage")) {
            fraction(Json.text(spec, "overhead", name), path + ".overhead[" + name + "]");
        }
    }

    private void doubles(String list, String field) {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < spec.path(list).size(); i++) {
            String value = Json.text(spec.path(list).get(i), field);
            if (!seen.add(value)) {
                warnings.add(path + "." + list + "[" + i + "]." + field + ": duplicate " + field + " "
                        + GoText.quoted(value));
            }
        }
    }

    /** Thousandths of bytes, as somebody writes who means millions of them. */
    private void bytes(JsonNode resources, String at) {
        for (String name : List.of("memory", "ephemeral-storage")) {
            for (String kind : List.of("limits", "requests")) {
                fraction(Json.text(resources, kind, name), at + "." + kind + "[" + name + "]");
            }
        }
    }

    private void fraction(String amount, String at) {
        if (StorageWarnings.isFraction(amount)) {
            warnings.add(at + ": fractional byte value \"" + amount + "\" is invalid, must be an integer");
        }
    }

    /** A second variable of a name, unless it is made of the first one. */
    private void env(JsonNode env, String at) {
        Set<String> names = new HashSet<>();
        for (int i = 0; i < env.size(); i++) {
            String name = Json.text(env.get(i), "name");
            String reference = "$(" + name + ")";
            String value = Json.text(env.get(i), "value");
            boolean bad = env.get(i).hasNonNull("valueFrom") || value.equals(reference) || !value.contains(reference);
            if (!names.add(name) && bad) {
                warnings.add(at + "[" + i + "]: hides previous definition of \"" + name
                        + "\", which may be dropped when using apply");
            }
        }
    }

    private record Port(String at, JsonNode port) {
        String address() {
            return Json.text(port, "hostIP");
        }

        int host() {
            return port.path("hostPort").asInt();
        }

        /** As Go prints the struct. */
        String text() {
            return "{Name:" + Json.text(port, "name") + " HostPort:" + host() + " ContainerPort:"
                    + port.path("containerPort").asInt() + " Protocol:" + Json.text(port, "protocol") + " HostIP:"
                    + address() + "}";
        }
    }

    private void ports() {
        List<Port> ports = new ArrayList<>();
        for (String list : CONTAINERS) {
            for (int c = 0; c < spec.path(list).size(); c++) {
                JsonNode own = spec.path(list).get(c).path("ports");
                for (int i = 0; i < own.size(); i++) {
                    ports.add(new Port(path + "." + list + "[" + c + "].ports[" + i + "]", own.get(i)));
                }
            }
        }
        Map<String, List<Port>> taken = new HashMap<>();
        for (Port port : ports) {
            if (!port.address().isEmpty() && port.host() == 0) {
                warnings.add(port.at() + ": hostIP set without hostPort: " + port.text());
            }
            String key = port.port().path("containerPort").asInt() + "/" + Json.text(port.port(), "protocol");
            List<Port> others = taken.computeIfAbsent(key, k -> new ArrayList<>());
            others.forEach(other -> conflict(port, other));
            others.add(port);
        }
        Map<String, String> names = new HashMap<>();
        for (Port port : ports) {
            String name = Json.text(port.port(), "name");
            String other = name.isEmpty() ? null : names.putIfAbsent(name, port.at());
            if (other != null) {
                warnings.add(port.at() + ": duplicate port name \"" + name + "\" with " + other
                        + ", services and probes that select ports by name will use " + other);
            }
        }
    }

    private void conflict(Port port, Port other) {
        if (port.address().equals(other.address()) && port.host() == other.host()) {
            warnings.add(port.at() + ": duplicate port definition with " + other.at());
        } else if (port.host() == 0 || other.host() == 0) {
            warnings.add(port.at() + ": overlapping port definition with " + other.at());
        } else if (port.host() == other.host()
                && port.address().isEmpty() != other.address().isEmpty()) {
            warnings.add(port.at() + ": dangerously ambiguous port definition with " + other.at());
        }
    }

    private void affinity(String kind) {
        JsonNode affinity = spec.path("affinity").path(kind);
        String at = path + ".affinity." + kind + ".";
        String required = "requiredDuringSchedulingIgnoredDuringExecution";
        for (int i = 0; i < affinity.path(required).size(); i++) {
            selector(affinity.path(required).get(i), at + required + "[" + i + "]");
        }
        String preferred = "preferredDuringSchedulingIgnoredDuringExecution";
        for (int i = 0; i < affinity.path(preferred).size(); i++) {
            JsonNode term = affinity.path(preferred).get(i).path("podAffinityTerm");
            selector(term, at + preferred + "[" + i + "].podAffinityTerm");
        }
    }

    private void selector(JsonNode term, String at) {
        if (!term.hasNonNull("labelSelector")) {
            warnings.add(at + ".labelSelector: " + NO_POD);
        }
    }
}
