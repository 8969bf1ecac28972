package dev.sro.core.engine;

import dev.sro.core.apply.Failures;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.plan.Plan;
import dev.sro.core.plan.Write;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What is applied in one trip, so that nothing is applied twice. Confined to the trip. */
final class AppliedOnce {

    private final Map<ObjectRef, String> digests = new HashMap<>();

    /**
     * Whether an object is to be applied again that was applied in this very trip: somebody changes it back at once, or the
     * API server spells a value differently. It is reported and left alone for a while; to go on would never end.
     */
    boolean isContested(Plan plan, Failures failures, Instant now) {
        boolean any = false;
        for (Write write : plan.writes()) {
            if (write instanceof Write.Apply apply && digest(apply).equals(digests.get(apply.ref()))) {
                failures.contested(apply.ref(), apply.why(), now);
                any = true;
            }
        }
        return any;
    }

    /** These were tried; what was refused is not applied, and may be tried again in the same trip. */
    void tried(List<Write> writes, Failures failures) {
        Set<ObjectRef> refused = failures.current().keySet();
        for (Write write : writes) {
            if (write instanceof Write.Apply apply && !refused.contains(apply.ref())) {
                digests.put(apply.ref(), digest(apply));
            }
        }
    }

    private static String digest(Write.Apply apply) {
        return apply.object().annotation(MetadataKeys.APPLIED).orElse("");
    }
}
