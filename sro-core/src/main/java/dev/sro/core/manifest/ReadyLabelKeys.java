package dev.sro.core.manifest;

import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ValueTrees;
import java.util.Map;

/**
 * Keys of labels that SRO gives to nodes because a DaemonSet asks for it ({@link MetadataKeys#READY_LABEL}). SRO may label nodes and the
 * accounts of recipes may not, so what others than plugins bring asks within SRO's own domain only: by any other label they could move
 * pods of others, or take a node out of a load balancer. Stateless.
 */
public final class ReadyLabelKeys {

    private static final String DOMAIN = "specialresource.openshift.io/";

    private ReadyLabelKeys() {}

    /** Whether a recipe may ask for this label whoever wrote it: no label by which SRO itself knows how far nodes are. */
    public static boolean areOfRecipes(String key) {
        return key.startsWith(DOMAIN) && !key.startsWith(MetadataKeys.STATE_LABEL_PREFIX);
    }

    /** A hook: whoever is applied by the rights of an account asks within the domain. */
    static void check(Map<String, Object> tree, HookContext context) {
        String key = ValueTrees.text(tree, "metadata", "annotations", MetadataKeys.READY_LABEL);
        if (key.isEmpty() || context.account().isEmpty() || areOfRecipes(key)) {
            return;
        }
        throw RenderException.vendor(
                "ReadyLabelNotAllowed",
                context.state().id() + ": " + tree.get("kind") + " " + ValueTrees.text(tree, "metadata", "name")
                        + ": annotation " + MetadataKeys.READY_LABEL + ": \"" + key
                        + "\" is not one of SRO's labels, and a"
                        + " recipe gives nodes no others; use " + DOMAIN + "<name> (not state-…)");
    }
}
