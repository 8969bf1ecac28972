package dev.sro.testkit.podsecurity;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The checks of the level baseline, in the order in which a kube-apiserver 1.36 tells of them; those of the level restricted replace
 * some of them.
 */
final class BaselineChecks {
    private static final String APP_ARMOR = "container.apparmor.security.beta.kubernetes.io/";
    private static final String SECCOMP_POD = "seccomp.security.alpha.kubernetes.io/pod";
    private static final String SECCOMP_CONTAINER = "container.seccomp.security.alpha.kubernetes.io/";
    private static final Set<String> PROFILES = Set.of("RuntimeDefault", "Localhost");
    private static final Set<String> CAPABILITIES = Set.of(
            "AUDIT_WRITE",
            "CHOWN",
            "DAC_OVERRIDE",
            "FOWNER",
            "FSETID",
            "KILL",
            "MKNOD",
            "NET_BIND_SERVICE",
            "SETFCAP",
            "SETGID",
            "SETPCAP",
            "SETUID",
            "SYS_CHROOT");

    /** The versions since which a sysctl is safe. */
    private static final Map<String, Integer> SYSCTLS = Map.ofEntries(
            Map.entry("kernel.shm_rmid_forced", 0),
            Map.entry("net.ipv4.ip_local_port_range", 0),
            Map.entry("net.ipv4.tcp_syncookies", 0),
            Map.entry("net.ipv4.ping_group_range", 0),
            Map.entry("net.ipv4.ip_unprivileged_port_start", 0),
            Map.entry("net.ipv4.ip_local_reserved_ports", 27),
            Map.entry("net.ipv4.tcp_keepalive_time", 29),
            Map.entry("net.ipv4.tcp_fin_timeout", 29),
            Map.entry("net.ipv4.tcp_keepalive_intvl", 29),
            Map.entry("net.ipv4.tcp_keepalive_probes", 29),
            Map.entry("net.ipv4.tcp_rmem", 32),
            Map.entry("net.ipv4.tcp_wmem", 32));

    private final PodView pod;
    private final int version;
    private final boolean restricted;

    /** @param restricted whether the checks of the level restricted follow, some of which replace one of these */
    BaselineChecks(PodView pod, int version, boolean restricted) {
        this.pod = pod;
        this.version = version;
        this.restricted = restricted;
    }

    Stream<Violation> run() {
        return Stream.of(
                        appArmor(),
                        replaced(22) ? Optional.<Violation>empty() : capabilities(),
                        hostNamespaces(),
                        replaced(0) ? Optional.<Violation>empty() : hostPaths(),
                        hostPorts(),
                        version < 34 ? Optional.<Violation>empty() : hostsOfProbes(),
                        privileged(),
                        replaced(35) || (version >= 35 && pod.hasOwnUsers())
                                ? Optional.<Violation>empty()
                                : procMount(pod),
                        seLinux(),
                        replaced(19) ? Optional.<Violation>empty() : seccomp(),
                        sysctls(),
                        hostProcess())
                .flatMap(Optional::stream);
    }

    private boolean replaced(int since) {
        return restricted && version >= since;
    }

    private static Optional<Violation> unless(boolean fine, String reason, String detail) {
        return fine ? Optional.empty() : Optional.of(new Violation(reason, detail));
    }

    private Optional<Violation> appArmor() {
        SortedSet<String> values = new TreeSet<>();
        boolean byPod = isForeign(pod.security().path("appArmorProfile"), values);
        List<String> containers =
                pod.names(container -> isForeign(PodView.security(container).path("appArmorProfile"), values));
        SortedSet<String> annotations = new TreeSet<>();
        pod.annotations().properties().forEach(annotation -> {
            String value = annotation.getValue().asText();
            if (annotation.getKey().startsWith(APP_ARMOR)
                    && !value.isEmpty()
                    && !value.equals("runtime/default")
                    && !value.startsWith("localhost/")) {
                annotations.add(annotation.getKey() + "=\"" + value + "\"");
            }
        });
        String setters = PodView.setters(byPod, containers);
        if (!annotations.isEmpty()) {
            setters += (setters.isEmpty() ? "" : " and ") + PodView.plural("annotation", annotations);
        }
        List<String> all = new ArrayList<>(values);
        all.addAll(annotations);
        return unless(
                all.isEmpty(),
                PodView.plural("forbidden AppArmor profile", all),
                setters + " must not set AppArmor profile type to " + PodView.quoted(all));
    }

    /** Whether a profile is set that is neither the runtime's nor one of the node; its type is noted then. */
    private static boolean isForeign(JsonNode profile, SortedSet<String> types) {
        return profile.isObject()
                && !PROFILES.contains(profile.path("type").asText())
                && noted(types, profile.path("type").asText());
    }

    private static boolean noted(SortedSet<String> values, String value) {
        values.add(value);
        return true;
    }

    private Optional<Violation> capabilities() {
        SortedSet<String> added = new TreeSet<>();
        List<String> containers = pod.names(container -> addsOther(container, CAPABILITIES, added));
        return unless(
                containers.isEmpty(),
                "non-default capabilities",
                PodView.containers(containers) + " must not include " + PodView.quoted(added)
                        + " in securityContext.capabilities.add");
    }

    static boolean addsOther(JsonNode container, Set<String> allowed, SortedSet<String> added) {
        boolean other = false;
        for (JsonNode capability :
                PodView.security(container).path("capabilities").path("add")) {
            if (!allowed.contains(capability.asText())) {
                added.add(capability.asText());
                other = true;
            }
        }
        return other;
    }

    private Optional<Violation> hostNamespaces() {
        List<String> shared = Stream.of("hostNetwork", "hostPID", "hostIPC")
                .filter(field -> pod.spec().path(field).asBoolean())
                .map(field -> field + "=true")
                .toList();
        return unless(shared.isEmpty(), "host namespaces", String.join(", ", shared));
    }

    private Optional<Violation> hostPaths() {
        List<String> names = new ArrayList<>();
        pod.spec().path("volumes").forEach(volume -> {
            if (volume.hasNonNull("hostPath")) {
                names.add(volume.path("name").asText());
            }
        });
        return unless(names.isEmpty(), "hostPath volumes", PodView.counted("volume", names));
    }

    private Optional<Violation> hostPorts() {
        SortedSet<String> ports = new TreeSet<>();
        List<String> containers = pod.names(container -> {
            boolean any = false;
            for (JsonNode port : container.path("ports")) {
                int number = port.path("hostPort").asInt();
                any |= number != 0 && noted(ports, Integer.toString(number));
            }
            return any;
        });
        return unless(
                containers.isEmpty(),
                "hostPort",
                PodView.containers(containers) + " " + PodView.uses(containers) + " "
                        + PodView.plural("hostPort", ports) + " " + String.join(", ", ports));
    }

    private Optional<Violation> hostsOfProbes() {
        SortedSet<String> hosts = new TreeSet<>();
        SortedSet<String> containers = new TreeSet<>(pod.names(container -> {
            JsonNode lifecycle = container.path("lifecycle");
            List<String> of = Stream.of(
                            container.path("livenessProbe"),
                            container.path("readinessProbe"),
                            container.path("startupProbe"),
                            lifecycle.path("postStart"),
                            lifecycle.path("preStop"))
                    .flatMap(handler -> Stream.of(handler.path("httpGet"), handler.path("tcpSocket")))
                    .map(action -> action.path("host").asText())
                    .filter(host -> !host.isEmpty())
                    .toList();
            hosts.addAll(of);
            return !of.isEmpty();
        }));
        return unless(
                containers.isEmpty(),
                "probe or lifecycle host",
                PodView.containers(containers) + " " + PodView.uses(containers) + " "
                        + PodView.counted("probe or lifecycle host", hosts));
    }

    private Optional<Violation> privileged() {
        List<String> containers = pod.names(
                container -> PodView.security(container).path("privileged").asBoolean());
        return unless(
                containers.isEmpty(),
                "privileged",
                PodView.containers(containers) + " must not set securityContext.privileged=true");
    }

    static Optional<Violation> procMount(PodView pod) {
        SortedSet<String> types = new TreeSet<>();
        List<String> containers = pod.names(container -> {
            String type = PodView.security(container).path("procMount").asText("Default");
            return !type.equals("Default") && noted(types, type);
        });
        return unless(
                containers.isEmpty(),
                "procMount",
                PodView.containers(containers) + " must not set securityContext.procMount to " + PodView.quoted(types));
    }

    private Optional<Violation> seLinux() {
        SortedMap<String, SortedSet<String>> bad = new TreeMap<>();
        Function<JsonNode, Boolean> sets = options -> {
            boolean any = false;
            for (String field : List.of("type", "user", "role")) {
                String value = options.path(field).asText();
                if (!value.isEmpty() && !(field.equals("type") && isOfContainers(value))) {
                    bad.computeIfAbsent(field, unused -> new TreeSet<>()).add(value);
                    any = true;
                }
            }
            return any;
        };
        boolean byPod = sets.apply(pod.security().path("seLinuxOptions"));
        List<String> containers =
                pod.names(container -> sets.apply(PodView.security(container).path("seLinuxOptions")));
        List<String> data = new ArrayList<>();
        if (bad.containsKey("type")) {
            data.add(PodView.counted("type", bad.get("type")));
        }
        Stream.of("user", "role").filter(bad::containsKey).forEach(field -> data.add(field + " may not be set"));
        return unless(
                data.isEmpty(),
                "seLinuxOptions",
                PodView.setters(byPod, containers) + " set forbidden securityContext.seLinuxOptions: "
                        + String.join("; ", data));
    }

    private boolean isOfContainers(String type) {
        return switch (type) {
            case "container_t", "container_init_t", "container_kvm_t" -> true;
            case "container_engine_t" -> version >= 31;
            default -> false;
        };
    }

    private Optional<Violation> seccomp() {
        return version < 19 ? seccompAnnotations() : seccompProfiles(pod);
    }

    private Optional<Violation> seccompAnnotations() {
        SortedSet<String> forbidden = new TreeSet<>();
        Stream.concat(
                        Stream.of(SECCOMP_POD),
                        pod.names(container -> true).stream().map(name -> SECCOMP_CONTAINER + name))
                .filter(pod.annotations()::has)
                .forEach(key -> {
                    String value = pod.annotations().path(key).asText();
                    if (!value.equals("runtime/default")
                            && !value.equals("docker/default")
                            && !value.startsWith("localhost/")) {
                        forbidden.add(key + "=\"" + value + "\"");
                    }
                });
        return unless(
                forbidden.isEmpty(),
                "seccompProfile",
                "forbidden " + PodView.plural("annotation", forbidden) + " " + String.join(", ", forbidden));
    }

    /** Profiles that are set and are neither the runtime's nor one of the node. */
    static Optional<Violation> seccompProfiles(PodView pod) {
        SortedSet<String> types = new TreeSet<>();
        boolean byPod = isForeign(pod.security().path("seccompProfile"), types);
        List<String> containers =
                pod.names(container -> isForeign(PodView.security(container).path("seccompProfile"), types));
        return unless(
                types.isEmpty(),
                "seccompProfile",
                PodView.setters(byPod, containers) + " must not set securityContext.seccompProfile.type to "
                        + PodView.quoted(types));
    }

    private Optional<Violation> sysctls() {
        List<String> unsafe = new ArrayList<>();
        pod.security().path("sysctls").forEach(sysctl -> {
            String name = sysctl.path("name").asText();
            if (SYSCTLS.getOrDefault(name, Integer.MAX_VALUE) > version) {
                unsafe.add(name);
            }
        });
        return unless(unsafe.isEmpty(), "forbidden sysctls", String.join(", ", unsafe));
    }

    private Optional<Violation> hostProcess() {
        boolean byPod = isHostProcess(pod.security());
        List<String> containers = pod.names(container -> isHostProcess(PodView.security(container)));
        return unless(
                !byPod && containers.isEmpty(),
                "hostProcess",
                PodView.setters(byPod, containers) + " must not set securityContext.windowsOptions.hostProcess=true");
    }

    private static boolean isHostProcess(JsonNode security) {
        return security.path("windowsOptions").path("hostProcess").asBoolean();
    }
}
