package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.VirtualClock;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Deletes objects: preconditions, finalizers, grace periods. Every method must be called with the store's lock held. */
final class Deleter {
    /** What became of the object: gone, or marked and still there. */
    record Result(Stored stored, boolean gone) {}

    private final Store store;
    private final VirtualClock clock;
    private final Function<ResourceType, TypeRules> rules;
    private final Admission admission;

    Deleter(Store store, VirtualClock clock, Function<ResourceType, TypeRules> rules, Admission admission) {
        this.store = store;
        this.clock = clock;
        this.rules = rules;
        this.admission = admission;
    }

    Result delete(WriteCall call, DeleteOptions options) {
        Stored live = store.get(call.type.storage(), call.key());
        if (live == null) {
            throw Errors.notFound(call.gvr(), call.name);
        }
        checkPreconditions(call, live, options);
        admission.delete(call, live, options);
        TypeRules type = rules.apply(call.type);
        ObjectNode object = live.object();
        long grace = type.gracePeriod(object, options.graceSeconds());
        List<String> finalizers = finalizers(object, options, type);
        if (call.type.storage().equals(Gvr.CUSTOMRESOURCEDEFINITIONS)) {
            finalizers = new ArrayList<>(finalizers);
            finalizers.remove(CrdController.CLEANUP);
            finalizers.add(CrdController.CLEANUP);
        }
        boolean stays = !finalizers.isEmpty() || grace > 0 || !Json.isEmpty(Finalizers.ofSpec(call.type, object));
        boolean graceful = call.type.storage().equals(Gvr.PODS);
        ObjectNode next = stays || graceful ? marked(call, object, finalizers, grace) : object;
        if (!stays) {
            return call.dryRun
                    ? new Result(new Stored(next, live.fields(), live.version()), true)
                    : remove(call, next, live);
        }
        if (call.dryRun || ObjectComparison.sameObject(next, object)) {
            return new Result(call.dryRun ? new Stored(next, live.fields(), live.version()) : live, false);
        }
        return new Result(store.put(call.type.storage(), call.key(), next, live.fields()), false);
    }

    /** What goes gracefully is marked first, even where the grace is over at once: watchers see both. */
    private Result remove(WriteCall call, ObjectNode last, Stored live) {
        if (!ObjectComparison.sameObject(last, live.object())) {
            ObjectNode marked = Json.topCopy(last);
            store.put(call.type.storage(), call.key(), marked, live.fields());
        }
        return new Result(store.remove(call.type.storage(), call.key(), last), true);
    }

    /** The object with its deletion marked. A second delete can only shorten the grace period. */
    private ObjectNode marked(WriteCall call, ObjectNode object, List<String> finalizers, long grace) {
        ObjectNode next = Json.topCopy(object);
        ObjectNode metadata = Json.metadata(next);
        boolean again = Json.terminating(object);
        if (hasOwnLifecycle(call.type)) {
            if (!again) {
                metadata.put("deletionTimestamp", now(0));
            }
            Finalizers.set(next, finalizers);
            return announced(call, next);
        }
        long before = metadata.path("deletionGracePeriodSeconds").asLong();
        if (!again) {
            long generation = metadata.path("generation").asLong();
            if (generation > 0) {
                metadata.put("generation", generation + 1);
            }
        }
        if (!again || grace < before) {
            metadata.put("deletionTimestamp", now(grace));
            metadata.put("deletionGracePeriodSeconds", grace);
        }
        Finalizers.set(next, finalizers);
        return next;
    }

    private String now(long plusSeconds) {
        return clock.instant()
                .plusSeconds(plusSeconds)
                .truncatedTo(ChronoUnit.SECONDS)
                .toString();
    }

    /** Namespaces and definitions are not deleted like other objects: their controllers empty them first. */
    private static boolean hasOwnLifecycle(ResourceType type) {
        return type.storage().equals(Gvr.NAMESPACES) || type.storage().equals(Gvr.CUSTOMRESOURCEDEFINITIONS);
    }

    private ObjectNode announced(WriteCall call, ObjectNode next) {
        ObjectNode status = KindHooks.own(next, "status");
        if (call.type.storage().equals(Gvr.NAMESPACES)) {
            status.put("phase", "Terminating");
        } else {
            CrdController.terminating(
                    next,
                    now(0),
                    "InstanceDeletionPending",
                    "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon");
        }
        return next;
    }

    private static List<String> finalizers(ObjectNode object, DeleteOptions options, TypeRules type) {
        List<String> finalizers = new ArrayList<>(Finalizers.read(object));
        if (!type.hasDependents()) {
            finalizers.removeAll(List.of(Finalizers.ORPHAN, Finalizers.FOREGROUND));
            return finalizers;
        }
        DeleteOptions.Propagation propagation = options.propagation();
        if (propagation == null) {
            if (finalizers.contains(Finalizers.ORPHAN) || finalizers.contains(Finalizers.FOREGROUND)) {
                return finalizers;
            }
            propagation = type.defaultPropagation();
        }
        finalizers.remove(Finalizers.ORPHAN);
        finalizers.remove(Finalizers.FOREGROUND);
        if (propagation == DeleteOptions.Propagation.ORPHAN) {
            finalizers.add(Finalizers.ORPHAN);
        } else if (propagation == DeleteOptions.Propagation.FOREGROUND) {
            finalizers.add(Finalizers.FOREGROUND);
        }
        return finalizers;
    }

    private static void checkPreconditions(WriteCall call, Stored live, DeleteOptions options) {
        String uid = Json.uid(live.object());
        if (options.uid() != null && !options.uid().equals(uid)) {
            throw precondition(
                    call,
                    "the UID in the precondition (" + options.uid() + ") does not match the UID in record (" + uid
                            + "). The object might have been deleted and then recreated");
        }
        String version = Long.toString(live.version());
        if (options.resourceVersion() != null && !options.resourceVersion().equals(version)) {
            throw precondition(
                    call,
                    "the ResourceVersion in the precondition (" + options.resourceVersion()
                            + ") does not match the ResourceVersion in record (" + version
                            + "). The object might have been modified");
        }
    }

    /** This refusal alone names the kind instead of the resource. */
    private static ApiException precondition(WriteCall call, String why) {
        // Events are events of the core, whichever group they came by.
        String group = call.type.kind().equals("Event") ? "" : call.gvr().group();
        Gvr asKind = new Gvr(group, call.gvr().version(), call.type.kind());
        return Errors.conflict(asKind, call.name, why);
    }
}
