package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Comparator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Gives pods the priority of their class, or that of the class for those that name none, and has one such class at most
 * ({@code plugin/pkg/admission/priority} of a kube-apiserver). Called with the store's lock held.
 */
final class PriorityAdmission implements AdmissionPlugin {
    private static final String PREEMPTS = "PreemptLowerPriority";

    /** What a class gives its pods. */
    private record Priority(String className, int value, String preemption) {}

    private final Store store;

    PriorityAdmission(Store store) {
        this.store = store;
    }

    @Override
    public void validate(WriteCall call, ObjectNode object, @Nullable Stored old) {
        if (!call.gvr().equals(Gvr.PRIORITYCLASSES)
                || !call.subresource.isEmpty()
                || !object.path("globalDefault").asBoolean()) {
            return;
        }
        forAll().map(Json::name)
                .filter(name -> old == null || !name.equals(Json.name(object)))
                .ifPresent(name -> {
                    throw Errors.forbidden(
                            call.gvr(),
                            call.name,
                            "PriorityClass " + name + " is already marked as default. Only one default can exist");
                });
    }

    /** Completes a new pod. */
    void complete(ObjectNode spec, WriteCall call) {
        Priority given = given(Json.text(spec, "priorityClassName"), call);
        if (!given.className.isEmpty()) {
            spec.put("priorityClassName", given.className);
        }
        if (spec.path("priority").asInt(given.value) != given.value) {
            throw Errors.rejectedPod(
                    call.name,
                    "the integer value of priority (" + spec.path("priority").asInt()
                            + ") must not be provided in pod spec; priority admission controller computed "
                            + given.value + " from the given PriorityClass name");
        }
        spec.put("priority", given.value);
        if (!spec.path("preemptionPolicy").asText(given.preemption).equals(given.preemption)) {
            throw Errors.rejectedPod(
                    call.name,
                    "the string value of PreemptionPolicy ("
                            + spec.path("preemptionPolicy").asText()
                            + ") must not be provided in pod spec; priority admission"
                            + " controller computed " + given.preemption + " from the given PriorityClass name");
        }
        spec.put("preemptionPolicy", given.preemption);
    }

    private Priority given(String className, WriteCall call) {
        return switch (className) {
            case "" -> forAll().map(PriorityAdmission::of).orElse(new Priority("", 0, PREEMPTS));
            case "system-node-critical" -> new Priority(className, 2_000_001_000, PREEMPTS);
            case "system-cluster-critical" -> new Priority(className, 2_000_000_000, PREEMPTS);
            default -> {
                Stored found = store.get(Gvr.PRIORITYCLASSES, Key.of(null, className));
                if (found == null) {
                    throw Errors.rejectedPod(call.name, "no PriorityClass with name " + className + " was found");
                }
                yield of(found.object());
            }
        };
    }

    private static Priority of(ObjectNode found) {
        return new Priority(
                Json.name(found),
                found.path("value").asInt(),
                found.path("preemptionPolicy").asText(PREEMPTS));
    }

    /** The class of pods that name none: that of the lowest value, should there be several. */
    private Optional<ObjectNode> forAll() {
        return store.table(Gvr.PRIORITYCLASSES).in(null).stream()
                .map(Stored::object)
                .filter(found -> found.path("globalDefault").asBoolean())
                .min(Comparator.comparingInt(found -> found.path("value").asInt()));
    }
}
