package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.quota.LimitRangeRules;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Limits of a namespace: what the containers of a new pod do not say is set as a LimitRange has it, and pods and claims of storage that are
 * beyond one are refused ({@code LimitRanger}). Called with the store's lock held.
 */
final class LimitAdmission implements AdmissionPlugin {
    private static final Gvr LIMIT_RANGES = Gvr.core("limitranges");
    private static final Gvr STORAGE_CLAIMS = Gvr.core("persistentvolumeclaims");

    private final Store store;

    LimitAdmission(Store store) {
        this.store = store;
    }

    @Override
    public ObjectNode mutate(WriteCall call, ObjectNode object, @Nullable Stored old) {
        ObjectNode sent = object;
        if (old == null && call.gvr().equals(Gvr.PODS) && call.subresource.isEmpty()) {
            for (LimitRangeRules limits : limits(call)) {
                sent = sent.deepCopy();
                limits.complete(sent);
            }
        }
        return sent;
    }

    private List<LimitRangeRules> limits(WriteCall call) {
        if (call.namespace == null) {
            return List.of();
        }
        return store.table(LIMIT_RANGES).in(call.namespace).stream()
                .map(stored -> new LimitRangeRules(stored.object()))
                .toList();
    }

    @Override
    public void validate(WriteCall call, ObjectNode object, @Nullable Stored old) {
        boolean resized = call.subresource.equals("resize");
        boolean going = old != null && Json.terminating(old.object());
        if (!going && call.gvr().equals(Gvr.PODS) && (resized || (old == null && call.subresource.isEmpty()))) {
            limits(call).forEach(limits -> refuse(call, limits.refusalsOfPod(object)));
        } else if (!going && call.gvr().equals(STORAGE_CLAIMS) && call.subresource.isEmpty()) {
            limits(call).forEach(limits -> refuse(call, limits.refusalsOfStorage(object)));
        }
    }

    private static void refuse(WriteCall call, List<String> refusals) {
        if (!refusals.isEmpty()) {
            throw Errors.forbidden(call.gvr(), call.name, LimitRangeRules.joined(refusals));
        }
    }
}
