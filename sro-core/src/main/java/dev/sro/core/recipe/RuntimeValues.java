package dev.sro.core.recipe;

import dev.sro.api.ClusterFacts;
import dev.sro.api.InvalidRecipeException;
import dev.sro.api.OsRelease;
import dev.sro.api.Pool;
import dev.sro.api.ProxySettings;
import dev.sro.core.facts.OsReleases;
import dev.sro.core.model.ValueTrees;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a chart sees in {@code .Values} beside its own and the user's values: the names and meanings of the Special Resource
 * Operator, on OpenShift and, as far as they make sense, elsewhere. Stateless.
 */
public final class RuntimeValues {

    /** {@code .Values.groupName}: words by which recipes name their parts. */
    static final Map<String, String> GROUP_NAMES = Map.of(
            "driverBuild", "driver-build",
            "driverContainer", "driver-container",
            "runtimeEnablement", "runtime-enablement",
            "devicePlugin", "device-plugin",
            "deviceMonitoring", "device-monitoring",
            "deviceDashboard", "device-dashboard",
            "deviceFeatureDiscovery", "device-feature-discovery",
            "csiDriver", "csi-driver");

    /** Beyond what the originals had. */
    private static final Set<String> OURS = Set.of("architecture", "driverImage", "driverImages");

    private static final Pattern MAJOR_MINOR = Pattern.compile("(\\d+\\.\\d+).*");

    private static final String NEWEST = "latest";

    /** As Linux names the architectures that Kubernetes names otherwise. */
    private static final Map<String, String> LINUX = Map.of("amd64", "x86_64", "arm64", "aarch64");

    private RuntimeValues() {}

    /**
     * The values for one pool.
     *
     * @param resource the special resource as a tree, as the user wrote it
     * @param namespace of the operands
     * @param pools all pools, sorted
     * @param pool the one to render for
     */
    public static Map<String, Object> collect(
            ClusterFacts cluster, Map<String, Object> resource, String namespace, List<Pool> pools, Pool pool) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("apiVersion", "sro.openshift.io/v1beta1");
        values.put("kind", "Values");
        values.put("operatingSystemMajor", systemMajor(pool));
        values.put("operatingSystemMajorMinor", system(pool.os()) + pool.os().version());
        values.put("operatingSystemDecimal", pool.os().version());
        values.put("kernelFullVersion", pool.kernel().raw());
        values.put("kernelPatchVersion", patchVersion(pool));
        values.put("driverToolkitImage", driverToolkit(cluster, pool));
        values.put("platform", cluster.isOpenShift() ? "OCP" : "K8S");
        values.put("clusterVersion", cluster.openShiftVersion());
        values.put("clusterVersionMajorMinor", majorMinor(cluster.openShiftVersion()));
        values.put("clusterUpgradeInfo", upgradeInfo(cluster, pools));
        values.put("updateVendor", "");
        values.put("pushSecretName", cluster.pushSecrets().getOrDefault(namespace, ""));
        values.put("osImageURL", cluster.machineOsImage());
        values.put("proxy", proxy(cluster.proxy()));
        values.put("groupName", GROUP_NAMES);
        values.put("specialresource", resource);
        // Beyond the originals: what clusters of mixed architectures need.
        values.put("architecture", pool.architecture());
        return values;
    }

    /**
     * The values without those that would take something from a chart: a name that only SRO has is the chart's where it has it, and no
     * text replaces a map, which the originals' values are not.
     *
     * @param chart what the chart and the user have
     */
    static Map<String, Object> forChart(Map<String, Object> runtime, Map<String, ?> chart) {
        Map<String, Object> result = new LinkedHashMap<>(runtime);
        result.entrySet().removeIf(value -> yields(value.getKey(), value.getValue(), chart.get(value.getKey())));
        return result;
    }

    private static boolean yields(String name, Object value, @Nullable Object own) {
        if (own instanceof Map<?, ?>) {
            return !(value instanceof Map<?, ?>) || OURS.contains(name);
        }
        return OURS.contains(name) && own != null && !own.equals("");
    }

    /** Names of the chart's own values, or the user's, that say something else than the cluster, which wins. */
    public static SortedSet<String> overwritten(Map<String, Object> runtime, Map<String, ?> chart) {
        SortedSet<String> names = new TreeSet<>();
        forChart(runtime, chart).forEach((name, value) -> {
            Object own = chart.get(name);
            if (own != null && !own.equals("") && !(own instanceof Map<?, ?>) && !own.equals(value)) {
                names.add(name);
            }
        });
        return names;
    }

    /** Version, patch level and first build number; of a kernel that is not numbered like that, all of it. */
    public static String patchVersion(Pool pool) {
        try {
            return pool.kernel().patch();
        } catch (InvalidRecipeException e) {
            return pool.kernel().raw();
        }
    }

    /** {@code rhel8}, {@code ubuntu22}: what drivers are built for. */
    static String systemMajor(Pool pool) {
        return system(pool.os()) + pool.os().major();
    }

    /** RHEL CoreOS counts as the RHEL that it is made of: drivers are built for that. */
    private static String system(OsRelease os) {
        return os.id().equals("rhcos") ? "rhel" : os.id();
    }

    private static String majorMinor(String version) {
        Matcher matcher = MAJOR_MINOR.matcher(version);
        return matcher.matches() ? matcher.group(1) : "";
    }

    private static Map<String, Object> proxy(ProxySettings proxy) {
        return Map.of(
                "httpProxy", proxy.httpProxy(),
                "httpsProxy", proxy.httpsProxy(),
                "noProxy", proxy.noProxy(),
                "trustedCA", proxy.trustedCa());
    }

    /** By kernel; keys in the spelling of both generations of charts. */
    private static Map<String, Object> upgradeInfo(ClusterFacts cluster, List<Pool> pools) {
        Map<String, Object> info = new LinkedHashMap<>();
        for (Pool pool : pools) {
            String version = pool.os().version();
            String image = driverToolkit(cluster, pool);
            Map<String, Object> toolkit = new LinkedHashMap<>();
            toolkit.put("imageURL", image);
            toolkit.put(
                    "kernelFullVersion", image.isEmpty() ? "" : pool.kernel().raw());
            toolkit.put("RTKernelFullVersion", "");
            toolkit.put("rTKernelFullVersion", "");
            toolkit.put("OSVersion", image.isEmpty() ? "" : version);
            toolkit.put("oSVersion", image.isEmpty() ? "" : version);
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("OSVersion", version);
            one.put("oSVersion", version);
            one.put("OSMajor", system(pool.os()) + pool.os().major());
            one.put("OSMajorMinor", system(pool.os()) + version);
            one.put("clusterVersion", majorMinor(cluster.openShiftVersion()));
            one.put("driverToolkit", toolkit);
            info.putIfAbsent(pool.kernel().raw(), one);
        }
        return info;
    }

    /**
     * The driver toolkit that has the pool's kernel. While none is known to have it, the newest for its system: the image stream has
     * a tag for each build of the machines' system, which names the RHEL version. Where none fits, the newest of all; the kernel in
     * these two may be another one.
     */
    public static String driverToolkit(ClusterFacts cluster, Pool pool) {
        String exact = cluster.driverToolkitKernels().get(kernelOf(pool));
        if (exact != null) {
            return exact;
        }
        Optional<String> fitting = cluster.driverToolkits().entrySet().stream()
                .filter(tag -> OsReleases.rhelOfBuild(tag.getKey())
                        .equals(Optional.of(pool.os().version())))
                .max(Map.Entry.comparingByKey(Comparator.naturalOrder()))
                .map(Map.Entry::getValue);
        return fitting.orElseGet(() -> cluster.driverToolkits().getOrDefault(NEWEST, ""));
    }

    /** With the architecture at its end, which some kernels leave out. */
    private static String kernelOf(Pool pool) {
        String linux = LINUX.getOrDefault(pool.architecture(), pool.architecture());
        String raw = pool.kernel().raw();
        return raw.contains("." + linux) ? raw : raw + "." + linux;
    }

    /** A tree without what only the API server writes, as {@code .Values.specialresource} has it. */
    static Map<String, Object> written(Map<String, Object> resource) {
        Map<String, Object> copy = ValueTrees.mutableCopy(resource);
        ValueTrees.ensureMap(copy, "metadata").remove("managedFields");
        return copy;
    }
}
