package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.re2j.Pattern;
import java.util.ArrayList;
import java.util.List;

/** Validation of pods and of the pods of templates: what holds for the pod as a whole; its parts have rooms of their own. */
final class PodValidation {
    /** Where a pod has its spec; templates have theirs elsewhere. */
    private static final String OF_PODS = "spec";

    private static final int MAX_NAMESERVERS = 3;
    private static final int MAX_SEARCHES = 32;
    private static final int MAX_NAME = 253;
    private static final Pattern SEARCH =
            Pattern.compile("_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*");

    private final Checks checks = new Checks(new ArrayList<>());
    private final ObjectNode spec;
    private final String path;

    private PodValidation(ObjectNode spec, String path) {
        this.spec = spec;
        this.path = path;
    }

    static List<FieldError> validate(ObjectNode spec, String path) {
        PodValidation v = new PodValidation(spec, path);
        v.containers();
        v.whole();
        v.scheduling();
        new SecurityValidation(v.checks).pod(spec.path("securityContext"), spec, path + ".securityContext");
        new SystemValidation(v.checks).validate(spec, path);
        v.network();
        v.names();
        return v.checks.errors();
    }

    private void containers() {
        EnvValidation env = new EnvValidation(checks);
        boolean pods = path.equals(OF_PODS);
        VolumeValidation volumes = new VolumeValidation(checks, env, pods);
        volumes.volumes(JsonTree.objects(spec, "volumes"), path + ".volumes");
        PodClaimValidation claims = new PodClaimValidation(spec, checks.errors());
        claims.claims(JsonTree.objects(spec, "resourceClaims"), path + ".resourceClaims");
        ContainerValidation all = new ContainerValidation(checks, env, volumes.mounts(), claims, spec, pods);
        List<ObjectNode> containers = JsonTree.objects(spec, "containers");
        if (containers.isEmpty()) {
            checks.required(path + ".containers", "");
        }
        all.containers(containers, path + ".containers");
        all.initContainers(JsonTree.objects(spec, "initContainers"), path + ".initContainers");
        all.ephemeral(JsonTree.objects(spec, "ephemeralContainers"), path + ".ephemeralContainers");
        EphemeralValidation.validate(spec, path, checks);
        if (!pods && !spec.path("ephemeralContainers").isEmpty()) {
            checks.forbidden(path + ".ephemeralContainers", "ephemeral containers not allowed in pod template");
        }
        env.files(spec, path);
    }

    private void whole() {
        checks.oneOf(spec, "restartPolicy", path, "Always", "OnFailure", "Never");
        checks.oneOf(spec, "preemptionPolicy", path, "PreemptLowerPriority", "Never");
        JsonNode resources = spec.path("resources");
        if (resources.hasNonNull("claims")) {
            checks.forbidden(path + ".resources.claims", "claims may not be set for Resources at pod-level");
        }
        ResourceNames.amounts(spec.path("overhead"), path + ".overhead.limits", checks);
        JsonNode deadline = spec.path("activeDeadlineSeconds");
        if (deadline.isNumber() && (deadline.asLong() < 1 || deadline.asLong() > Integer.MAX_VALUE)) {
            checks.invalid(path + ".activeDeadlineSeconds", deadline, "must be between 1 and 2147483647, inclusive");
        }
    }

    private void scheduling() {
        SchedulingValidation scheduling = new SchedulingValidation(checks);
        checks.labels(spec.path("nodeSelector"), path + ".nodeSelector");
        scheduling.affinity(spec.path("affinity"), path + ".affinity");
        scheduling.tolerations(JsonTree.objects(spec, "tolerations"), path + ".tolerations");
        scheduling.spreading(JsonTree.objects(spec, "topologySpreadConstraints"), path + ".topologySpreadConstraints");
        scheduling.gates(JsonTree.objects(spec, "schedulingGates"), path + ".schedulingGates");
        scheduling.readinessGates(JsonTree.objects(spec, "readinessGates"), path + ".readinessGates");
    }

    private void network() {
        checks.oneOf(spec, "dnsPolicy", path, "ClusterFirstWithHostNet", "ClusterFirst", "Default", "None");
        boolean own = JsonTree.text(spec, "dnsPolicy").equals("None");
        JsonNode dns = spec.path("dnsConfig");
        if (own && !dns.isObject()) {
            checks.required(path + ".dnsConfig", "must provide `dnsConfig` when `dnsPolicy` is None");
        }
        dns(dns, own, path + ".dnsConfig");
        int aliases = 0;
        for (ObjectNode alias : JsonTree.objects(spec, "hostAliases")) {
            String at = path + ".hostAliases[" + aliases++ + "]";
            address(JsonTree.text(alias, "ip"), at + ".ip");
            for (int i = 0; i < alias.path("hostnames").size(); i++) {
                checks.subdomain(alias.path("hostnames").get(i).asText(), at + ".hostnames[" + i + "]");
            }
        }
    }

    private void dns(JsonNode dns, boolean own, String at) {
        JsonNode servers = dns.path("nameservers");
        if (own && dns.isObject() && servers.isEmpty()) {
            checks.required(at + ".nameservers", "must provide at least one DNS nameserver when `dnsPolicy` is None");
            return;
        }
        if (servers.size() > MAX_NAMESERVERS) {
            checks.invalid(at + ".nameservers", servers, "must not have more than 3 nameservers");
        }
        for (int i = 0; i < servers.size(); i++) {
            address(servers.get(i).asText(), at + ".nameservers[" + i + "]");
        }
        JsonNode searches = dns.path("searches");
        if (searches.size() > MAX_SEARCHES) {
            checks.invalid(at + ".searches", searches, "must not have more than 32 search paths");
        }
        for (int i = 0; i < searches.size(); i++) {
            String search = searches.get(i).asText();
            String name =
                    search.length() > 1 && search.endsWith(".") ? search.substring(0, search.length() - 1) : search;
            if (!name.equals(".")) {
                search(name, at + ".searches[" + i + "]");
            }
        }
        List<ObjectNode> options = JsonTree.objects(dns, "options");
        for (int i = 0; i < options.size(); i++) {
            if (JsonTree.text(options.get(i), "name").isEmpty()) {
                checks.required(at + ".options[" + i + "]", "must not be empty");
            }
        }
    }

    /** A subdomain whose labels may begin with an underscore. */
    private void search(String name, String at) {
        if (name.length() > MAX_NAME) {
            checks.invalid(at, name, "must be no more than 253 characters");
        }
        if (!SEARCH.matches(name)) {
            checks.invalid(
                    at,
                    name,
                    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.',"
                            + " and must start and end with an alphanumeric character (e.g. 'example.com', regex used"
                            + " for validation is '" + SEARCH.pattern() + "')");
        }
    }

    private void address(String ip, String at) {
        Checks.addressFaults(ip).forEach(fault -> checks.invalid(at, ip, fault));
    }

    private void names() {
        for (String field : List.of("serviceAccountName", "priorityClassName", "runtimeClassName", "nodeName")) {
            String name = JsonTree.text(spec, field);
            if (!name.isEmpty()) {
                checks.subdomain(name, path + "." + field);
            }
        }
        for (String field : List.of("hostname", "subdomain")) {
            String name = JsonTree.text(spec, field);
            if (!name.isEmpty()) {
                DeviceNames.label(name, path + "." + field, checks.errors());
            }
        }
    }
}
