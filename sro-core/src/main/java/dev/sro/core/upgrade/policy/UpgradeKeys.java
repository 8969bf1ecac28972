package dev.sro.core.upgrade.policy;

import dev.sro.api.resource.DriverUpgradePolicy;
import dev.sro.core.model.MetadataKeys;

/**
 * Labels and annotations of one special resource's upgrades, all named after the label with the state: with {@code
 * nvidia.com/gpu-driver-upgrade-state} they are those of NVIDIA's operator. Immutable.
 *
 * @param state node label with the phase
 * @param base what the others begin with
 */
public record UpgradeKeys(String state, String base) {

    /** Annotation of a node: which special resource works on it. Common to all, so that only one does. */
    public static final String HOLDER = "sro.dev/driver-upgrade-holder";

    private static final String STATE_SUFFIX = "-state";

    private static final int MAX_NAME = 63;

    /** Those of the special resource of this name with this policy. */
    public static UpgradeKeys of(String specialResource, DriverUpgradePolicy policy) {
        String wanted = policy.getStateLabel();
        String state = wanted == null || wanted.isEmpty()
                ? "sro.dev/" + MetadataKeys.fit(specialResource, MAX_NAME - ".driver-upgrade-state".length())
                        + ".driver-upgrade-state"
                : wanted;
        String base = state.endsWith(STATE_SUFFIX) ? state.substring(0, state.length() - STATE_SUFFIX.length()) : state;
        return new UpgradeKeys(state, base);
    }

    /** Node label {@code "true"}: the node is left out. */
    public String skip() {
        return key(".skip");
    }

    /** Node annotation {@code "true"}: somebody asks for an upgrade of this node. */
    public String requested() {
        return key("-requested");
    }

    /** Pod label {@code "true"}: the pod stays. */
    public String keepPod() {
        return key("-drain.skip");
    }

    /** Node annotation {@code "true"}: somebody else had made the node unschedulable before. */
    public String initiallyUnschedulable() {
        return key(".node-initial-state.unschedulable");
    }

    /** Node annotation: a freshly booted driver waits for permission to load. */
    public String safeLoad() {
        return key(".driver-wait-for-safe-load");
    }

    /** Node annotation: what the machine notes on the node. */
    public String note() {
        return key(".note");
    }

    /** Node annotation: the boot that has to be left behind. */
    public String reboot() {
        return key(".reboot");
    }

    private String key(String suffix) {
        int slash = base.indexOf('/');
        return base.substring(0, slash + 1) + MetadataKeys.fit(base.substring(slash + 1) + suffix, MAX_NAME);
    }
}
