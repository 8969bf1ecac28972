package dev.sro.core.engine;

import dev.sro.core.apply.Failures;
import dev.sro.core.model.Marks;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.plan.Plan;
import dev.sro.core.plan.Write;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

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
            if (write instanceof Write.Apply apply) {
                String digest = apply.object().annotation(Marks.APPLIED).orElse("");
                if (digest.equals(digests.put(apply.ref(), digest))) {
                    failures.contested(apply.ref(), apply.why(), now);
                    any = true;
                }
            }
        }
        return any;
    }
}
