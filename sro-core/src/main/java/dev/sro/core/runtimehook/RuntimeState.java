package dev.sro.core.runtimehook;

import dev.sro.api.Outcome;
import dev.sro.api.Pool;
import dev.sro.api.Problem;
import dev.sro.api.RecipeContext;
import dev.sro.core.driver.DriverState;
import dev.sro.core.driver.Drivers;
import dev.sro.core.driver.PoolDriver;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The state in which container runtimes get to know of the device: after the driver is loaded, and before the states of the recipe. All
 * pools share its objects, as what a container runtime reads has nothing to do with kernels: for each variant a ConfigMap with the
 * files and a DaemonSet on the nodes whose label names the variant. Immutable; equal values mean that nothing is to be rendered anew.
 *
 * @param variants by their digests
 * @param classes handler by name of the RuntimeClass
 * @param image whose shell places files, unless a variant names another one
 * @param problem why it is not known what nodes shall have; what there is stays then
 */
public record RuntimeState(
        SortedMap<String, RuntimeVariant> variants,
        SortedMap<String, String> classes,
        String image,
        Optional<Problem> problem)
        implements DriverState {

    /** The {@link #name} of the state. */
    public static final String NAME = "runtime-files";

    /** Unless something else is said. */
    public static final String DEFAULT_IMAGE = "docker.io/library/busybox:1.37.0";

    /** Nodes of one cluster are of a few kinds; who says something else of each node means something else. */
    private static final int MAX_VARIANTS = 64;

    /** Half of what an object may have: the other half is for its script and its names. */
    private static final int MAX_BYTES = 512 * 1024;

    /** Copies. */
    public RuntimeState {
        variants = Collections.unmodifiableSortedMap(new TreeMap<>(variants));
        classes = Collections.unmodifiableSortedMap(new TreeMap<>(classes));
    }

    /** What these variants come to, or what is wrong with them. */
    public static RuntimeState of(
            SortedMap<String, RuntimeVariant> variants,
            Map<String, java.util.SortedSet<String>> classes,
            String image) {
        Optional<Problem> problem = Optional.empty();
        if (variants.size() > MAX_VARIANTS) {
            problem = Optional.of(Problem.vendor(
                    "TooManyRuntimeVariants",
                    "RuntimeHook.runtime() gives " + variants.size() + " different configurations, " + MAX_VARIANTS
                            + " are possible; leave out what each node has of its own"));
        }
        for (RuntimeVariant variant : variants.values()) {
            if (variant.size() > MAX_BYTES) {
                problem = Optional.of(Problem.vendor(
                        "RuntimeFilesTooLarge",
                        "RuntimeHook.runtime() gives a node files of " + variant.size() + " characters, " + MAX_BYTES
                                + " are possible; make the configuration smaller"));
            }
        }
        SortedMap<String, String> handlers = new TreeMap<>();
        for (Map.Entry<String, java.util.SortedSet<String>> entry : classes.entrySet()) {
            handlers.put(entry.getKey(), entry.getValue().first());
            if (entry.getValue().size() > 1) {
                problem = Optional.of(Problem.vendor(
                        "RuntimeClassAmbiguous",
                        "RuntimeHook.runtime() names for RuntimeClass " + entry.getKey() + " the handlers "
                                + entry.getValue() + "; a class has one for all nodes"));
            }
        }
        return new RuntimeState(variants, handlers, image, problem);
    }

    /** Key of the node label whose value is the digest of the node's variant. */
    public static String label(String specialResource) {
        return MetadataKeys.runtimeLabel(specialResource);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean perNode() {
        return true;
    }

    @Override
    public boolean comesFirst() {
        return true;
    }

    @Override
    public boolean comesAfterOthers() {
        return true;
    }

    @Override
    public boolean isIn(Drivers drivers) {
        return !variants.isEmpty() || !classes.isEmpty() || problem.isPresent();
    }

    @Override
    public boolean isFor(PoolDriver driver) {
        return true;
    }

    @Override
    public boolean needsImage(PoolDriver driver) {
        return false;
    }

    @Override
    public Optional<Outcome> obstacle(Pool pool, PoolDriver driver) {
        return problem.map(Outcome::failed);
    }

    @Override
    public List<KubeObject> objects(RecipeContext context, String namespace, Pool pool, PoolDriver driver) {
        List<KubeObject> objects = new ArrayList<>();
        classes.forEach((name, handler) -> objects.add(runtimeClass(name, handler)));
        if (!variants.isEmpty()) {
            PlacerObjects placers = new PlacerObjects(
                    context.name(), namespace, context.cluster().isOpenShift());
            objects.addAll(placers.account());
            variants.forEach((digest, variant) -> objects.addAll(placers.of(digest, variant, image)));
        }
        return objects;
    }

    private static KubeObject runtimeClass(String name, String handler) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("apiVersion", "node.k8s.io/v1");
        tree.put("kind", "RuntimeClass");
        tree.put("metadata", Map.of("name", name));
        tree.put("handler", handler);
        return KubeObject.of(tree);
    }
}
