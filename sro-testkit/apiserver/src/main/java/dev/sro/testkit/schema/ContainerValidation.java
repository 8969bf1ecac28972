package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Validation of the containers of one pod. Not thread-safe. */
final class ContainerValidation {
    private static final String NOT_OF_INIT = "may not be set for init containers without restartPolicy=Always";
    private static final String HUGE_PAGES = "hugepages-";

    private final Checks checks;
    private final EnvValidation env;
    private final ProbeValidation probes;
    private final MountValidation mounts;
    private final RestartValidation restarts;
    private final boolean pods;
    private final boolean never;
    private final SecurityValidation security;
    private final PodClaimValidation claims;
    private final boolean hostUsers;
    private final boolean hostNetwork;
    private final long grace;
    private final Set<String> names = new HashSet<>();
    private final Set<String> hostPorts = new HashSet<>();

    ContainerValidation(
            Checks checks,
            EnvValidation env,
            MountValidation mounts,
            PodClaimValidation claims,
            ObjectNode spec,
            boolean pods) {
        this.checks = checks;
        this.env = env;
        this.probes = new ProbeValidation(checks);
        this.mounts = mounts;
        this.restarts = new RestartValidation(checks);
        this.pods = pods;
        this.never = JsonTree.text(spec, "restartPolicy").equals("Never");
        this.security = new SecurityValidation(checks);
        this.claims = claims;
        this.grace = spec.path("terminationGracePeriodSeconds").asLong(30);
        this.hostUsers = spec.path("hostUsers").asBoolean(true);
        this.hostNetwork = spec.path("hostNetwork").asBoolean();
    }

    void containers(List<ObjectNode> containers, String path) {
        for (int i = 0; i < containers.size(); i++) {
            container(containers.get(i), path + "[" + i + "]");
            probes(containers.get(i), path + "[" + i + "]");
            restarts.policy(containers.get(i), path + "[" + i + "]");
            hostPorts(containers.get(i), path + "[" + i + "]");
        }
    }

    void initContainers(List<ObjectNode> containers, String path) {
        for (int i = 0; i < containers.size(); i++) {
            ObjectNode container = containers.get(i);
            String at = path + "[" + i + "]";
            container(container, at);
            String restart = JsonTree.text(container, "restartPolicy");
            boolean sidecar = restart.equals("Always");
            restarts.policy(container, at);
            if (!sidecar) {
                restarts.resizeOfInit(container, at);
            }
            if (sidecar) {
                probes(container, at);
            } else {
                for (String field : List.of("lifecycle", "livenessProbe", "readinessProbe", "startupProbe")) {
                    if (container.get(field) instanceof ObjectNode) {
                        checks.forbidden(at + "." + field, NOT_OF_INIT);
                    }
                }
            }
        }
    }

    /** What holds for ephemeral containers as for all others. */
    void ephemeral(List<ObjectNode> containers, String path) {
        for (int i = 0; i < containers.size(); i++) {
            names.clear();
            container(containers.get(i), path + "[" + i + "]");
        }
    }

    private void container(ObjectNode container, String at) {
        name(container, at);
        String image = JsonTree.text(container, "image");
        if (image.isEmpty()) {
            checks.required(at + ".image", "");
        } else if (pods && !image.equals(image.strip())) {
            checks.invalid(at + ".image", image, "must not have leading or trailing whitespace");
        }
        checks.oneOf(container, "imagePullPolicy", at, "Always", "IfNotPresent", "Never");
        checks.oneOf(container, "terminationMessagePolicy", at, "File", "FallbackToLogsOnError");
        ports(JsonTree.objects(container, "ports"), at + ".ports");
        env.env(JsonTree.objects(container, "env"), at + ".env");
        env.envFrom(JsonTree.objects(container, "envFrom"), at + ".envFrom");
        mounts.mounts(container, at);
        resources(container.path("resources"), at + ".resources");
        claims.uses(JsonTree.objects(container.path("resources"), "claims"), at + ".resources.claims");
        restarts.resize(container, never, at);
        security.container(container.path("securityContext"), hostUsers, at + ".securityContext");
    }

    private void probes(ObjectNode container, String at) {
        probes.lifecycle(container.path("lifecycle"), grace, at + ".lifecycle");
        probes.liveness(container.path("livenessProbe"), at + ".livenessProbe");
        probes.readiness(container.path("readinessProbe"), at + ".readinessProbe");
        probes.liveness(container.path("startupProbe"), at + ".startupProbe");
    }

    private void name(ObjectNode container, String at) {
        String name = JsonTree.text(container, "name");
        if (name.isEmpty()) {
            checks.required(at + ".name", "");
            return;
        }
        int before = checks.errors().size();
        DeviceNames.label(name, at + ".name", checks.errors());
        if (checks.errors().size() == before && !names.add(name)) {
            checks.add(FieldError.duplicate(at + ".name", TextNode.valueOf(name)));
        }
    }

    private void ports(List<ObjectNode> ports, String path) {
        Set<String> portNames = new HashSet<>();
        for (int i = 0; i < ports.size(); i++) {
            ObjectNode port = ports.get(i);
            String at = path + "[" + i + "]";
            String name = JsonTree.text(port, "name");
            if (!name.isEmpty()) {
                List<String> faults = Checks.portName(name);
                faults.forEach(fault -> checks.invalid(at + ".name", name, fault));
                if (faults.isEmpty() && !portNames.add(name)) {
                    checks.add(FieldError.duplicate(at + ".name", TextNode.valueOf(name)));
                }
            }
            int number = port.path("containerPort").asInt();
            if (number == 0) {
                checks.required(at + ".containerPort", "");
            } else {
                checks.port(port.get("containerPort"), at + ".containerPort");
            }
            if (port.path("hostPort").asInt() != 0) {
                checks.port(port.get("hostPort"), at + ".hostPort");
            }
            checks.oneOf(port, "protocol", at, "SCTP", "TCP", "UDP");
        }
    }

    private void hostPorts(ObjectNode container, String at) {
        List<ObjectNode> ports = JsonTree.objects(container, "ports");
        for (int i = 0; i < ports.size(); i++) {
            ObjectNode port = ports.get(i);
            int host = port.path("hostPort").asInt();
            String path = at + ".ports[" + i + "]";
            if (hostNetwork && host != 0 && host != port.path("containerPort").asInt()) {
                checks.invalid(
                        path + ".hostPort",
                        port.get("hostPort"),
                        "must match `containerPort` when `hostNetwork` is true");
            }
            String used = JsonTree.text(port, "protocol") + "/" + JsonTree.text(port, "hostIP") + "/" + host;
            if (host != 0 && !hostPorts.add(used)) {
                checks.add(FieldError.duplicate(path + ".hostPort", TextNode.valueOf(used)));
            }
        }
    }

    private void resources(JsonNode resources, String path) {
        JsonNode limits = resources.path("limits");
        JsonNode requests = resources.path("requests");
        ResourceNames.amounts(limits, path + ".limits", checks);
        ResourceNames.amounts(requests, path + ".requests", checks);
        boolean small = false;
        boolean pages = false;
        for (JsonNode all : List.of(limits, requests)) {
            for (Map.Entry<String, JsonNode> one : all.properties()) {
                small |= one.getKey().equals("cpu") || one.getKey().equals("memory");
                pages |= one.getKey().startsWith(HUGE_PAGES);
            }
        }
        for (Map.Entry<String, JsonNode> request : requests.properties()) {
            request(request.getKey(), request.getValue(), limits.get(request.getKey()), path);
        }
        if (pages && !small) {
            checks.forbidden(path, "HugePages require cpu or memory");
        }
    }

    private void request(String name, JsonNode request, JsonNode limit, String path) {
        boolean extended = name.contains("/") && !name.startsWith("kubernetes.io/");
        boolean strict = extended || name.startsWith(HUGE_PAGES);
        if (limit == null) {
            if (strict) {
                checks.required(path + ".limits", "Limit must be set for non overcommitable resources");
            }
            return;
        }
        Optional<BigDecimal> wanted = Quantities.value(request.asText());
        Optional<BigDecimal> allowed = Quantities.value(limit.asText());
        if (wanted.isEmpty() || allowed.isEmpty()) {
            return;
        }
        int order = wanted.get().compareTo(allowed.get());
        if (strict && order != 0) {
            checks.invalid(path + ".requests", request, "must be equal to " + name + " limit of " + limit.asText());
        } else if (order > 0) {
            checks.invalid(
                    path + ".requests",
                    request,
                    "must be less than or equal to " + name + " limit of " + limit.asText());
        }
    }
}
