package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Which resources there are, by place: in containers, in limits, in quotas; and how much of them there can be. Stateless. */
final class ResourceNames {
    static final String HUGE_PAGES = "hugepages-";

    private static final Set<String> OF_CONTAINERS = Set.of("cpu", "memory", "ephemeral-storage");
    private static final Set<String> COUNTED = Set.of(
            "pods",
            "resourcequotas",
            "services",
            "replicationcontrollers",
            "secrets",
            "configmaps",
            "persistentvolumeclaims",
            "services.nodeports",
            "services.loadbalancers");
    private static final Set<String> OF_QUOTAS = Set.of(
            "cpu",
            "memory",
            "ephemeral-storage",
            "requests.cpu",
            "requests.memory",
            "requests.storage",
            "requests.ephemeral-storage",
            "limits.cpu",
            "limits.memory",
            "limits.ephemeral-storage");

    private ResourceNames() {}

    /** The name of any resource; whether it is well-formed. */
    static boolean known(String name, String at, Checks checks) {
        int before = checks.errors().size();
        checks.labelKey(name, at);
        if (checks.errors().size() > before) {
            return false;
        }
        boolean standard = OF_QUOTAS.contains(name) || COUNTED.contains(name) || name.equals("storage");
        if (!name.contains("/") && !standard && !name.startsWith(HUGE_PAGES)) {
            checks.invalid(at, name, "must be a standard resource type or fully qualified");
        }
        return true;
    }

    static void ofContainers(String name, String at, Checks checks) {
        known(name, at, checks);
        if (!name.contains("/") && !OF_CONTAINERS.contains(name) && !name.startsWith(HUGE_PAGES)) {
            checks.invalid(at, name, "must be a standard resource for containers");
        } else if (name.contains("/") && !name.contains("kubernetes.io/") && !isOfDevices(name)) {
            checks.invalid(at, name, "doesn't follow extended resource name standard");
        }
    }

    /** Whether a quota could count a resource by its name. */
    private static boolean isOfDevices(String name) {
        List<FieldError> faults = new ArrayList<>();
        DeviceNames.labelKey("requests." + name, "", faults);
        return faults.isEmpty() && !name.startsWith("requests.");
    }

    static void ofQuotas(String name, String at, Checks checks) {
        known(name, at, checks);
        if (!name.contains("/") && !isOfQuotas(name)) {
            checks.invalid(at, name, "must be a standard resource for quota");
        }
    }

    /** Whether quotas have a resource by themselves, other than as a count of objects. */
    static boolean isOfQuotas(String name) {
        return OF_QUOTAS.contains(name)
                || COUNTED.contains(name)
                || name.startsWith(HUGE_PAGES)
                || name.startsWith("requests." + HUGE_PAGES);
    }

    /** An amount of a resource: not negative, and whole where it cannot be divided. */
    static void amount(String name, JsonNode amount, String at, Checks checks) {
        Optional<BigDecimal> value = Quantities.value(amount.asText());
        if (value.isPresent() && value.get().signum() < 0) {
            checks.invalid(at, amount, Checks.NOT_NEGATIVE);
        }
        boolean whole = COUNTED.contains(name) || isExtended(name);
        if (whole && value.isPresent() && value.get().stripTrailingZeros().scale() > 0) {
            checks.invalid(at, amount, "must be an integer");
        }
    }

    /** Whether a resource is one of devices, by its name. */
    static boolean isExtended(String name) {
        return name.contains("/") && !name.contains("kubernetes.io/") && !name.startsWith("requests.");
    }

    /** Amounts by resource, in a container. */
    static void amounts(JsonNode amounts, String path, Checks checks) {
        for (Map.Entry<String, JsonNode> one : amounts.properties()) {
            String at = path + "[" + one.getKey() + "]";
            ofContainers(one.getKey(), at, checks);
            amount(one.getKey(), one.getValue(), at, checks);
        }
    }
}
