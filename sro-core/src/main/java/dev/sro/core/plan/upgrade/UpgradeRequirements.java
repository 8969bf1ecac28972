package dev.sro.core.plan.upgrade;

import dev.sro.api.KernelVersion;
import dev.sro.api.Pool;
import dev.sro.api.Problem;
import dev.sro.api.operation.DriverSet;
import dev.sro.api.operation.UpgradeAction;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.plan.UpgradeInput;
import dev.sro.core.upgrade.policy.UpgradeAdvice;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the change of a driver asks of a node: what the plugin says, within the policy. Lives for one question. */
final class UpgradeRequirements {

    /** There is no answer, and why. */
    static final class Unanswered extends Exception {
        private static final long serialVersionUID = 1L;

        Unanswered(String why) {
            super(why);
        }
    }

    private final UpgradeInput upgrade;
    private final UpgradeAdvice advice;
    private final ObservedNode node;
    private final Pool pool;

    UpgradeRequirements(UpgradeInput upgrade, UpgradeAdvice advice, ObservedNode node, Pool pool) {
        this.upgrade = upgrade;
        this.advice = advice;
        this.node = node;
        this.pool = pool;
    }

    /** What a pod template says that it is, as long as it is the same driver; empty for nothing. */
    static String driverDigest(@Nullable Map<String, Object> template) {
        return template == null
                ? ""
                : ValueTrees.text(ValueTrees.map(template, "metadata", "annotations"), MetadataKeys.DRIVER_DIGEST);
    }

    /**
     * The answer.
     *
     * @param before pod template of what runs; null when it is not known
     * @param running digest of the driver that runs; empty when it says none
     * @param template that is wanted
     */
    UpgradeAction of(@Nullable Map<String, Object> before, String running, Map<String, Object> template)
            throws Unanswered {
        String same = driverDigest(template);
        if (!same.isEmpty() && same.equals(running)) {
            return UpgradeAction.RESTART_ONLY;
        }
        UpgradeAction action = UpgradeAction.FULL;
        if (before != null) {
            DriverSet former = driverSet(before, pool);
            DriverSet desired = driverSet(template, pool);
            Optional<Problem> problem = advice.incompatibility(former, desired);
            if (problem.isPresent()) {
                throw new Unanswered(problem.get().message());
            }
            action = advice.action(former, desired, node.facts());
        }
        String reboots = upgrade.rules().reboots();
        if (action == UpgradeAction.REBOOT && reboots.equals("Never")) {
            throw new Unanswered("the new driver needs a boot, and spec.upgradePolicy.reboot.policy is Never");
        }
        // A change that touches nothing of the driver still has to reach the pod.
        return switch (action) {
            case NONE -> UpgradeAction.RESTART_ONLY;
            case FULL -> reboots.equals("Always") ? UpgradeAction.REBOOT : UpgradeAction.FULL;
            case RESTART_ONLY, REBOOT -> action;
        };
    }

    /** The image of the driver in a pod template. */
    static String image(Map<String, Object> template) {
        String named = ValueTrees.text(
                ValueTrees.map(template, "metadata", "annotations"), "kubectl.kubernetes.io/default-container");
        List<Map<String, Object>> containers = ValueTrees.maps(template, "spec", "containers");
        Map<String, Object> container = containers.stream()
                .filter(one -> ValueTrees.text(one, "name").equals(named))
                .findFirst()
                .orElseGet(() -> containers.isEmpty() ? Map.of() : containers.get(0));
        return ValueTrees.text(container, "image");
    }

    /** What a template says of the driver in it. */
    private static DriverSet driverSet(Map<String, Object> template, Pool pool) {
        Map<String, Object> annotations = ValueTrees.map(template, "metadata", "annotations");
        String image = image(template);
        String version = ValueTrees.text(annotations, MetadataKeys.DRIVER_VERSION);
        Map<String, String> attributes = new HashMap<>();
        String digest = ValueTrees.text(annotations, MetadataKeys.DRIVER_DIGEST);
        if (!digest.isEmpty()) {
            attributes.put(MetadataKeys.DRIVER_DIGEST, digest);
        }
        attributes.put("template", ValueTrees.digest(template));
        return DriverSet.builder()
                .version(version.isEmpty() ? tag(image) : version)
                .image(image)
                .kernel(new KernelVersion(pool.kernel().raw()))
                .attributes(attributes)
                .build();
    }

    private static String tag(String image) {
        int at = image.indexOf('@');
        String name = at < 0 ? image : image.substring(0, at);
        int colon = name.lastIndexOf(':');
        return colon > name.lastIndexOf('/') ? name.substring(colon + 1) : at < 0 ? "latest" : image.substring(at + 1);
    }
}
