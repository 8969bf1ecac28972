package dev.sro.core.driver;

import dev.sro.api.NodeFacts;
import dev.sro.api.Pool;
import dev.sro.api.Problem;
import dev.sro.api.resource.DriverSpec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The builds of RHEL CoreOS that the nodes of a pool run, for the variable {@code rhcos}. Pools do not differ in it: most images do
 * not, either. Immutable.
 *
 * @param nodes names of nodes by build, sorted
 */
public record CoreOsBuilds(SortedMap<String, List<String>> nodes) {

    /** Nothing is known. */
    public static final CoreOsBuilds NONE = new CoreOsBuilds(new TreeMap<>());

    private static final String VARIABLE = "rhcos";
    private static final String LABEL = "feature.node.kubernetes.io/system-os_release.OSTREE_VERSION";

    /** As {@link EnvSubst} takes it, with whatever follows the name in braces. */
    private static final Pattern USE = Pattern.compile("\\$(?:\\{" + VARIABLE + "\\b|" + VARIABLE + "\\b)");

    private static final int SHOWN = 3;

    /** Copies. */
    public CoreOsBuilds {
        nodes = Collections.unmodifiableSortedMap(new TreeMap<>(nodes));
    }

    /** Those of these nodes; nodes of other systems have none. */
    public static CoreOsBuilds of(Collection<NodeFacts> facts) {
        SortedMap<String, List<String>> nodes = new TreeMap<>();
        for (NodeFacts node : facts) {
            String build = node.labels().getOrDefault(LABEL, node.features().getOrDefault(LABEL, ""));
            if (!build.isEmpty()) {
                nodes.computeIfAbsent(build, unused -> new ArrayList<>()).add(node.name());
            }
        }
        nodes.values().forEach(Collections::sort);
        return new CoreOsBuilds(nodes);
    }

    /** Whether anything that is said of a driver names the variable: nobody else needs to know builds. */
    public static boolean isUsed(@Nullable DriverSpec driver) {
        return driver != null && USE.matcher(driver.toString()).find();
    }

    /**
     * The pool with the build in its key, where no plugin put one there.
     *
     * @throws DriverException if the nodes differ in it ({@code NodeBuildsDiffer})
     */
    Pool in(Pool pool) {
        if (nodes.isEmpty() || pool.key().containsKey(VARIABLE)) {
            return pool;
        }
        if (nodes.size() > 1) {
            throw new DriverException(Problem.user(
                    "NodeBuildsDiffer",
                    "spec.driver names an image by ${" + VARIABLE + "}, but the nodes of pool " + pool.name()
                            + " run different builds of RHEL CoreOS: " + shown()
                            + ". Upgrade them to the same build, or name images by ${kernelFull}"));
        }
        SortedMap<String, String> key = new TreeMap<>(pool.key());
        key.put(VARIABLE, nodes.firstKey());
        return new Pool(
                pool.name(), pool.affinityHash(), pool.kernel(), pool.os(), pool.architecture(), key, pool.nodes());
    }

    private String shown() {
        List<String> all = new ArrayList<>();
        for (Map.Entry<String, List<String>> build : nodes.entrySet()) {
            List<String> names = build.getValue();
            int more = names.size() - SHOWN;
            all.add(build.getKey() + " on " + String.join(", ", names.subList(0, Math.min(SHOWN, names.size())))
                    + (more > 0 ? " and " + more + " more" : ""));
        }
        return String.join("; ", all);
    }
}
