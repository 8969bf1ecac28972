package dev.sro.core.manifest;

import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ValueTrees;
import java.util.Map;

/**
 * Takes over what the Special Resource Operator made for the same special resource, as it runs: what SRO adds to pod templates
 * would restart every operand and is left out until the recipe changes anyway. Stateless.
 */
public final class Adoption {

    private static final String ARCHITECTURE = "kubernetes.io/arch";

    private Adoption() {}

    /** Whether the former operator made the object, and SRO has not written it yet. */
    public static boolean isFormer(KubeObject live) {
        return live.label(MetadataKeys.SPECIAL_RESOURCE).isEmpty()
                && live.annotation(MetadataKeys.APPLIED).isEmpty();
    }

    /** Whether the object was taken over as it ran, from a recipe that is still the same. */
    public static boolean isAsItRan(KubeObject desired, KubeObject live) {
        return live.annotation(MetadataKeys.ADOPTED).isPresent()
                && desired.annotation(MetadataKeys.APPLIED).equals(live.annotation(MetadataKeys.APPLIED));
    }

    /** The object without what SRO adds to its pods, and with a mark that says so. */
    public static KubeObject asItRuns(KubeObject desired) {
        return desired.edit(tree -> {
            ValueTrees.ensureMap(tree, "metadata", "annotations").put(MetadataKeys.ADOPTED, "true");
            Workloads.podTemplate(tree).filter(path -> path.length > 0).ifPresent(path -> {
                Map<String, Object> labels = ValueTrees.ensureMap(tree, Workloads.join(path, "metadata", "labels"));
                labels.remove(MetadataKeys.SPECIAL_RESOURCE);
                if (!"DaemonSet".equals(tree.get("kind"))) {
                    // Pods of DaemonSets are told apart node by node, and seen by this label only.
                    labels.remove(MetadataKeys.OWNED);
                }
            });
            Workloads.nodeSelector(tree)
                    .ifPresent(path -> ValueTrees.ensureMap(tree, path)
                            .keySet()
                            .removeIf(key -> key.equals(ARCHITECTURE)
                                    || key.startsWith(MetadataKeys.POOL_LABEL_PREFIX)
                                    || key.startsWith(MetadataKeys.STATE_LABEL_PREFIX)));
        });
    }
}
