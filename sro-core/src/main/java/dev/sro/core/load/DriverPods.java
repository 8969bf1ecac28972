package dev.sro.core.load;

import dev.sro.api.driver.KernelModule;
import dev.sro.api.driver.LoadPlan;
import dev.sro.core.driver.PoolDriver;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Pod specs that run a {@link LoadScript}. Stateless. */
final class DriverPods {

    static final String CONTAINER = "driver-load";

    /** Long enough to unload modules that have to give up hardware. */
    private static final int GRACE_SECONDS = 120;

    private DriverPods() {}

    /** What the script needs to be on a node that it changes. */
    static Map<String, Object> loading(
            String name, String account, LoadPlan plan, List<KernelModule> modules, PoolDriver driver, String task) {
        HostPaths paths = HostPaths.of(plan);
        Map<String, Object> container = container(LoadScript.write(name, plan, modules), driver, task);
        container.put("securityContext", security(plan));
        container.put("volumeMounts", paths.mounts());
        Map<String, Object> spec = spec(container, driver);
        spec.put("serviceAccountName", account);
        spec.put("priorityClassName", "system-node-critical");
        spec.put("terminationGracePeriodSeconds", GRACE_SECONDS);
        spec.put("volumes", paths.volumes());
        return spec;
    }

    /** What the script needs to look at a node. */
    static Map<String, Object> looking(String name, LoadPlan plan, PoolDriver driver, boolean openShift) {
        Map<String, Object> container = container(LoadScript.write(name, plan, plan.modules()), driver, "watch");
        container.put("readinessProbe", probe("check", 1));
        Map<String, Object> security = new LinkedHashMap<>();
        security.put("allowPrivilegeEscalation", false);
        security.put("capabilities", Map.of("drop", List.of("ALL")));
        security.put("runAsNonRoot", true);
        if (!openShift) {
            // There the namespace has users of its own.
            security.put("runAsUser", 65534);
        }
        security.put("seccompProfile", Map.of("type", "RuntimeDefault"));
        container.put("securityContext", security);
        Map<String, Object> spec = spec(container, driver);
        spec.put("terminationGracePeriodSeconds", 5);
        return spec;
    }

    private static Map<String, Object> spec(Map<String, Object> container, PoolDriver driver) {
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put("automountServiceAccountToken", false);
        if (!driver.pullSecrets().isEmpty()) {
            spec.put(
                    "imagePullSecrets",
                    driver.pullSecrets().stream()
                            .map(secret -> Map.of("name", secret))
                            .toList());
        }
        spec.put("containers", List.of(container));
        return spec;
    }

    private static Map<String, Object> container(String script, PoolDriver driver, String task) {
        Map<String, Object> container = new LinkedHashMap<>();
        container.put("name", CONTAINER);
        container.put("image", driver.choice().image().orElseThrow());
        container.put("command", command(task));
        Map<String, Object> variable = new LinkedHashMap<>();
        variable.put("name", "SRO_SCRIPT");
        variable.put("value", escaped(script));
        container.put("env", List.of(variable));
        container.put("terminationMessagePolicy", "FallbackToLogsOnError");
        Map<String, Object> resources = new LinkedHashMap<>();
        resources.put("requests", OrderedMaps.map("cpu", "10m", "memory", "32Mi"));
        resources.put("limits", Map.of("memory", "256Mi"));
        container.put("resources", resources);
        return container;
    }

    /** The script is in the environment, so that the pod keeps its own as long as it lives, and probes have it too. */
    static List<String> command(String task) {
        return List.of("/bin/sh", "-c", "eval \"$SRO_SCRIPT\"", "sro", task);
    }

    /** Kubernetes expands {@code $(NAME)} in values of variables, and makes one dollar of two. */
    static String escaped(String text) {
        return text.replace("$", "$$");
    }

    static Map<String, Object> probe(String task, int failures) {
        Map<String, Object> probe = new LinkedHashMap<>();
        probe.put("exec", Map.of("command", command(task)));
        probe.put("periodSeconds", 20);
        probe.put("timeoutSeconds", 10);
        probe.put("failureThreshold", failures);
        return probe;
    }

    /**
     * To load modules takes one capability, for the user that owns what is mounted, and a label of SELinux that may. To read what the
     * kernel says of one that it refuses takes another where {@code kernel.dmesg_restrict} is set, as in most distributions. Only where the
     * kernel is told where firmware is, sysfs has to be writable, which it is for privileged containers alone.
     */
    private static Map<String, Object> security(LoadPlan plan) {
        Map<String, Object> security = new LinkedHashMap<>();
        if (plan.firmwareSource().isPresent()) {
            security.put("privileged", true);
        } else {
            security.put("allowPrivilegeEscalation", false);
            security.put("capabilities", Map.of("add", List.of("SYS_MODULE", "SYSLOG")));
        }
        security.put("runAsUser", 0);
        security.put("seLinuxOptions", Map.of("type", "spc_t"));
        return security;
    }
}
