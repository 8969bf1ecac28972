package dev.sro.core.plan.state;

import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ValueTrees;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Jobs and pods that wait for a node, and were made before they were to tolerate a taint of partitioning. Theirs does not change any more,
 * so they would wait for ever. Stateless.
 */
final class StaleTolerations {

    private static final Set<String> ENDS = Set.of("Complete", "Failed", "SuccessCriteriaMet", "FailureTarget");

    private StaleTolerations() {}

    /** Whether it has not begun, and lacks a toleration that it would have if it were made now. */
    static boolean is(KubeObject wanted, KubeObject live) {
        // What admission took away from one that was made like this, it would take away again.
        if (wanted.annotation(MetadataKeys.APPLIED).equals(live.annotation(MetadataKeys.APPLIED)) || !isPending(live)) {
            return false;
        }
        List<Map<String, Object>> has = tolerations(live);
        return !tolerations(wanted).stream().allMatch(toleration -> has.contains(toleration));
    }

    private static boolean isPending(KubeObject live) {
        if (live.ref().kind().equals("Pod")) {
            return ValueTrees.text(live.tree(), "spec", "nodeName").isEmpty()
                    && Set.of("", "Pending").contains(ValueTrees.text(live.tree(), "status", "phase"));
        }
        Map<String, Object> status = live.map("status");
        return ValueTrees.number(status, "ready", 0) == 0
                && ValueTrees.number(status, "succeeded", 0) == 0
                && ValueTrees.maps(status, "conditions").stream()
                        .noneMatch(each ->
                                "True".equals(each.get("status")) && ENDS.contains(String.valueOf(each.get("type"))));
    }

    private static List<Map<String, Object>> tolerations(KubeObject object) {
        return object.ref().kind().equals("Pod")
                ? object.maps("spec", "tolerations")
                : object.maps("spec", "template", "spec", "tolerations");
    }
}
