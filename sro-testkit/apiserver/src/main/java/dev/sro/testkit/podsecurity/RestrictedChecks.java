package dev.sro.testkit.podsecurity;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The checks that only the level restricted has, in the order in which a kube-apiserver 1.36 tells of them. */
final class RestrictedChecks {
    private static final Set<String> ADDED = Set.of("NET_BIND_SERVICE");
    private static final Set<String> VOLUMES = Set.of(
            "configMap",
            "csi",
            "downwardAPI",
            "emptyDir",
            "ephemeral",
            "image",
            "persistentVolumeClaim",
            "projected",
            "secret");

    private final PodView pod;
    private final int version;

    RestrictedChecks(PodView pod, int version) {
        this.pod = pod;
        this.version = version;
    }

    Stream<Violation> run() {
        boolean windows = version >= 25 && pod.isWindows();
        boolean ownUsers = version >= 35 && pod.hasOwnUsers();
        return Stream.of(
                        version < 8 || windows ? Optional.<Violation>empty() : escalation(),
                        version < 22 || windows ? Optional.<Violation>empty() : capabilities(),
                        version < 35 ? Optional.<Violation>empty() : BaselineChecks.procMount(pod),
                        volumes(),
                        ownUsers ? Optional.<Violation>empty() : nonRoot(),
                        version < 23 || ownUsers ? Optional.<Violation>empty() : root(),
                        version < 19 || windows ? Optional.<Violation>empty() : seccomp())
                .flatMap(Optional::stream);
    }

    private Optional<Violation> escalation() {
        List<String> containers = pod.names(container -> {
            JsonNode allowed = PodView.security(container).path("allowPrivilegeEscalation");
            return !allowed.isBoolean() || allowed.asBoolean();
        });
        return containers.isEmpty()
                ? Optional.empty()
                : Optional.of(new Violation(
                        "allowPrivilegeEscalation != false",
                        PodView.containers(containers) + " must set securityContext.allowPrivilegeEscalation=false"));
    }

    private Optional<Violation> capabilities() {
        List<String> details = new ArrayList<>();
        List<String> keeping = pod.names(container -> !dropsAll(container));
        if (!keeping.isEmpty()) {
            details.add(PodView.containers(keeping) + " must set securityContext.capabilities.drop=[\"ALL\"]");
        }
        SortedSet<String> added = new TreeSet<>();
        List<String> adding = pod.names(container -> BaselineChecks.addsOther(container, ADDED, added));
        if (!adding.isEmpty()) {
            details.add(PodView.containers(adding) + " must not include " + PodView.quoted(added)
                    + " in securityContext.capabilities.add");
        }
        return details.isEmpty()
                ? Optional.empty()
                : Optional.of(new Violation("unrestricted capabilities", String.join("; ", details)));
    }

    private static boolean dropsAll(JsonNode container) {
        for (JsonNode capability :
                PodView.security(container).path("capabilities").path("drop")) {
            if (capability.asText().equals("ALL")) {
                return true;
            }
        }
        return false;
    }

    private Optional<Violation> volumes() {
        List<String> names = new ArrayList<>();
        SortedSet<String> types = new TreeSet<>();
        pod.spec().path("volumes").forEach(volume -> {
            if (VOLUMES.stream().noneMatch(volume::hasNonNull)) {
                names.add(volume.path("name").asText());
                types.add(type(volume));
            }
        });
        return names.isEmpty()
                ? Optional.empty()
                : Optional.of(new Violation(
                        "restricted volume types",
                        PodView.counted("volume", names) + " " + PodView.uses(names) + " "
                                + PodView.counted("restricted volume type", types)));
    }

    /** The field of the volume's source. */
    private static String type(JsonNode volume) {
        for (String field : (Iterable<String>) volume::fieldNames) {
            if (!field.equals("name") && volume.get(field).isObject()) {
                return field;
            }
        }
        return "unknown";
    }

    private Optional<Violation> nonRoot() {
        JsonNode ofPod = pod.security().path("runAsNonRoot");
        boolean podMayBeRoot = ofPod.isBoolean() && !ofPod.asBoolean();
        List<String> explicit = pod.names(container -> {
            JsonNode own = PodView.security(container).path("runAsNonRoot");
            return own.isBoolean() && !own.asBoolean();
        });
        if (podMayBeRoot || !explicit.isEmpty()) {
            return Optional.of(new Violation(
                    "runAsNonRoot != true",
                    PodView.setters(podMayBeRoot, explicit) + " must not set securityContext.runAsNonRoot=false"));
        }
        List<String> implicit = pod.names(container -> !ofPod.asBoolean()
                && !PodView.security(container).path("runAsNonRoot").isBoolean());
        return implicit.isEmpty()
                ? Optional.empty()
                : Optional.of(new Violation(
                        "runAsNonRoot != true",
                        "pod or " + PodView.containers(implicit) + " must set securityContext.runAsNonRoot=true"));
    }

    private Optional<Violation> root() {
        boolean byPod = isRoot(pod.security());
        List<String> containers = pod.names(container -> isRoot(PodView.security(container)));
        return byPod || !containers.isEmpty()
                ? Optional.of(
                        new Violation("runAsUser=0", PodView.setters(byPod, containers) + " must not set runAsUser=0"))
                : Optional.empty();
    }

    private static boolean isRoot(JsonNode security) {
        return security.path("runAsUser").isNumber()
                && security.path("runAsUser").asLong() == 0;
    }

    private Optional<Violation> seccomp() {
        Optional<Violation> explicit = BaselineChecks.seccompProfiles(pod);
        if (explicit.isPresent() || pod.security().path("seccompProfile").isObject()) {
            return explicit;
        }
        List<String> implicit = pod.names(
                container -> !PodView.security(container).path("seccompProfile").isObject());
        return implicit.isEmpty()
                ? Optional.empty()
                : Optional.of(new Violation(
                        "seccompProfile",
                        "pod or " + PodView.containers(implicit)
                                + " must set securityContext.seccompProfile.type to \"RuntimeDefault\" or"
                                + " \"Localhost\""));
    }
}
