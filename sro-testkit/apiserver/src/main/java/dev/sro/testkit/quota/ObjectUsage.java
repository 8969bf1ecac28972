package dev.sro.testkit.quota;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** What any object takes of the quotas of its namespace. Immutable. */
public final class ObjectUsage {
    private static final Set<String> COUNTED_BY_NAME =
            Set.of("configmaps", "replicationcontrollers", "resourcequotas", "secrets");

    /** A request for all devices counts as this many: so many may be allocated to a claim ({@code resource.k8s.io}). */
    private static final long ALL_DEVICES = 32;

    private static final String OF_CLASS = ".deviceclass.resource.k8s.io/devices";
    private static final String OF_STORAGE = ".storageclass.storage.k8s.io/";

    private final String resource;
    private final JsonNode object;
    private final Instant now;

    /**
     * @param resource plural and group: {@code pods}, {@code deployments.apps}
     * @param object with defaults
     */
    public ObjectUsage(String resource, JsonNode object, Instant now) {
        this.resource = resource;
        this.object = object;
        this.now = now;
    }

    /**
     * Amounts by the names that quotas have for them.
     *
     * @param extendedName of a device class, empty if it has none
     */
    public SortedMap<String, String> amounts(UnaryOperator<String> extendedName) {
        SortedMap<String, String> usage = new TreeMap<>();
        usage.put("count/" + resource, "1");
        switch (resource) {
            case "pods" -> usage.putAll(PodUsage.of(object, now));
            case "services" -> service(usage);
            case "persistentvolumeclaims" -> storage(usage);
            case "resourceclaims.resource.k8s.io" -> devices(usage, extendedName);
            default -> {
                if (COUNTED_BY_NAME.contains(resource)) {
                    usage.put(resource, "1");
                }
            }
        }
        return usage;
    }

    /** Whether a quota counts the object, by its scopes. */
    public boolean isIn(JsonNode quota) {
        QuotaScopes scopes = new QuotaScopes(quota);
        return scopes.isEmpty() || (resource.equals("pods") && PodUsage.isIn(scopes, object));
    }

    private void service(SortedMap<String, String> usage) {
        usage.put("services", "1");
        JsonNode spec = object.path("spec");
        String type = spec.path("type").asText();
        boolean balanced = type.equals("LoadBalancer");
        int ports = 0;
        if (balanced || type.equals("NodePort")) {
            boolean given =
                    balanced && !spec.path("allocateLoadBalancerNodePorts").asBoolean(true);
            for (JsonNode port : spec.path("ports")) {
                ports += given && port.path("nodePort").asInt() == 0 ? 0 : 1;
            }
        }
        usage.put("services.loadbalancers", balanced ? "1" : "0");
        usage.put("services.nodeports", Integer.toString(ports));
    }

    private void storage(SortedMap<String, String> usage) {
        JsonNode spec = object.path("spec");
        String size = spec.path("resources").path("requests").path("storage").asText();
        String storageClass = spec.path("storageClassName").asText();
        usage.put("persistentvolumeclaims", "1");
        if (!size.isEmpty()) {
            usage.put("requests.storage", size);
        }
        if (!storageClass.isEmpty()) {
            usage.put(storageClass + OF_STORAGE + "persistentvolumeclaims", "1");
            if (!size.isEmpty()) {
                usage.put(storageClass + OF_STORAGE + "requests.storage", size);
            }
        }
    }

    /** The devices of each class; of alternatives, the one with most. */
    private void devices(SortedMap<String, String> usage, UnaryOperator<String> extendedName) {
        Map<String, Long> byClass = new HashMap<>();
        for (JsonNode request : object.path("spec").path("devices").path("requests")) {
            Map<String, Long> most = new HashMap<>();
            if (request.hasNonNull("exactly")) {
                count(request.path("exactly"), most);
            }
            request.path("firstAvailable").forEach(alternative -> count(alternative, most));
            most.forEach((name, devices) -> byClass.merge(name, devices, Long::sum));
        }
        byClass.forEach((name, devices) -> {
            String amount = Long.toString(devices);
            usage.put(name + OF_CLASS, amount);
            String extended = extendedName.apply(name);
            if (!extended.isEmpty()) {
                usage.put("requests.deviceclass.resource.kubernetes.io/" + name, amount);
                usage.put("requests." + extended, amount);
            }
        });
    }

    private static void count(JsonNode request, Map<String, Long> most) {
        long devices = switch (request.path("allocationMode").asText("ExactCount")) {
            case "ExactCount" -> request.path("count").asLong(1);
            case "All" -> ALL_DEVICES;
            default -> 0;
        };
        most.merge(request.path("deviceClassName").asText(), devices, Math::max);
    }

    /** What a claim takes that was made for a pod's extended resources: only what is not counted with the pod already. */
    public static void withoutPod(SortedMap<String, String> claim, Map<String, String> pod) {
        claim.replaceAll((name, amount) ->
                name.startsWith("requests.") && pod.containsKey(name) ? Amounts.less(amount, pod.get(name)) : amount);
    }
}
