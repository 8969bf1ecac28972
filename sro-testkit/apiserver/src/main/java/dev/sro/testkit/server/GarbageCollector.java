package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Collects objects whose owners are gone, and carries out foreground and orphan deletions. Owners count by uid; an owner in another
 * namespace is no owner; an owner of a kind that is not served is taken to be alive.
 */
final class GarbageCollector implements Controller {
    private enum Owner {
        ALIVE,
        WAITING,
        GONE,
        UNKNOWN
    }

    private static final Duration RETRY = Duration.ofSeconds(1);

    private final ServerParts parts;
    private final ClusterApi api;
    private final ConcurrentLinkedQueue<Store.Place> queue = new ConcurrentLinkedQueue<>();

    GarbageCollector(ServerParts parts) {
        this.parts = parts;
        this.api = new LocalClusterApi(parts, "kube-controller-manager");
        api.subscribe(null, this::observe);
    }

    private void observe(Change change) {
        ObjectNode object = change.object();
        if (change.kind() == Change.Kind.DELETED) {
            parts.store.ownedBy(Json.uid(object)).forEach(queue::add);
            // An owner that deletes in the foreground may have waited for this one.
            for (JsonNode owner : object.path("metadata").path("ownerReferences")) {
                Store.Place place = parts.store.find(Json.text(owner, "uid"));
                if (place != null) {
                    queue.add(place);
                }
            }
            return;
        }
        boolean owned = !object.path("metadata").path("ownerReferences").isEmpty();
        if (owned || Json.terminating(object)) {
            queue.add(new Store.Place(change.type(), Key.of(Json.namespace(object), Json.name(object))));
        }
        if (Json.terminating(object) && (change.before() == null || !Json.terminating(change.before()))) {
            parts.store.ownedBy(Json.uid(object)).forEach(queue::add);
        }
    }

    @Override
    public boolean work() {
        Set<Store.Place> places = new LinkedHashSet<>();
        Store.Place next = queue.poll();
        while (next != null) {
            places.add(next);
            next = queue.poll();
        }
        boolean any = false;
        for (Store.Place place : places) {
            try {
                any |= parts.store.locked(() -> handle(place));
            } catch (ApiException refused) {
                // By a webhook or a policy, which may think otherwise later.
                parts.clock.after(RETRY, () -> queue.add(place));
            }
        }
        return any;
    }

    private boolean handle(Store.Place place) {
        Stored stored = parts.store.get(place.type(), place.key());
        if (stored == null) {
            return false;
        }
        ObjectNode object = stored.object();
        if (Json.terminating(object)) {
            if (Finalizers.has(object, Finalizers.ORPHAN)) {
                return orphanDependents(place, object);
            }
            if (Finalizers.has(object, Finalizers.FOREGROUND)) {
                return deleteDependents(place, object);
            }
        }
        return collect(place, object);
    }

    /** Takes the reference off every dependent, then lets the owner go. */
    private boolean orphanDependents(Store.Place place, ObjectNode owner) {
        String uid = Json.uid(owner);
        for (Store.Place dependent : parts.store.ownedBy(uid)) {
            dropOwners(dependent, Set.of(uid));
        }
        dropFinalizer(place, Finalizers.ORPHAN);
        return true;
    }

    /** Deletes the dependents; lets the owner go when no dependent that blocks it is left. */
    private boolean deleteDependents(Store.Place place, ObjectNode owner) {
        String uid = Json.uid(owner);
        boolean blocked = false;
        boolean any = false;
        for (Store.Place dependent : parts.store.ownedBy(uid)) {
            Stored stored = parts.store.get(dependent.type(), dependent.key());
            if (stored == null) {
                continue;
            }
            any |= collect(dependent, stored.object());
            Stored after = parts.store.get(dependent.type(), dependent.key());
            blocked |= after != null && blocks(after.object(), uid);
        }
        if (!blocked) {
            dropFinalizer(place, Finalizers.FOREGROUND);
            return true;
        }
        return any;
    }

    private static boolean blocks(JsonNode dependent, String ownerUid) {
        for (JsonNode owner : dependent.path("metadata").path("ownerReferences")) {
            if (Json.text(owner, "uid").equals(ownerUid)) {
                return owner.path("blockOwnerDeletion").asBoolean();
            }
        }
        return false;
    }

    private boolean collect(Store.Place place, ObjectNode object) {
        JsonNode owners = object.path("metadata").path("ownerReferences");
        if (owners.isEmpty() || Json.terminating(object)) {
            return false;
        }
        Set<String> gone = new LinkedHashSet<>();
        boolean alive = false;
        boolean waiting = false;
        for (JsonNode owner : owners) {
            switch (state(owner, place.key().namespace())) {
                case ALIVE, UNKNOWN -> alive = true;
                case WAITING -> {
                    waiting = true;
                    gone.add(Json.text(owner, "uid"));
                }
                case GONE -> gone.add(Json.text(owner, "uid"));
            }
        }
        if (gone.isEmpty()) {
            return false;
        }
        if (alive) {
            dropOwners(place, gone);
        } else {
            boolean foreground =
                    waiting && !parts.store.ownedBy(Json.uid(object)).isEmpty();
            DeleteOptions.Propagation propagation =
                    foreground ? DeleteOptions.Propagation.FOREGROUND : keptPropagation(object);
            api.delete(place.type(), place.key().namespace(), place.key().name(), DeleteOptions.with(propagation));
        }
        return true;
    }

    private static DeleteOptions.Propagation keptPropagation(JsonNode object) {
        if (Finalizers.has(object, Finalizers.ORPHAN)) {
            return DeleteOptions.Propagation.ORPHAN;
        }
        return Finalizers.has(object, Finalizers.FOREGROUND)
                ? DeleteOptions.Propagation.FOREGROUND
                : DeleteOptions.Propagation.BACKGROUND;
    }

    private Owner state(JsonNode reference, String namespace) {
        Store.Place place = parts.store.find(Json.text(reference, "uid"));
        if (place == null) {
            return served(reference) ? Owner.GONE : Owner.UNKNOWN;
        }
        Stored owner = parts.store.get(place.type(), place.key());
        boolean reachable =
                place.key().namespace().isEmpty() || place.key().namespace().equals(namespace);
        if (owner == null || !reachable) {
            return Owner.GONE;
        }
        boolean deletesDependents =
                Json.terminating(owner.object()) && Finalizers.has(owner.object(), Finalizers.FOREGROUND);
        return deletesDependents ? Owner.WAITING : Owner.ALIVE;
    }

    private boolean served(JsonNode reference) {
        return parts.registry
                .find(Json.text(reference, "apiVersion"), Json.text(reference, "kind"))
                .isPresent();
    }

    private void dropOwners(Store.Place place, Set<String> uids) {
        edit(place, object -> {
            ArrayNode kept = object.arrayNode();
            object.path("metadata").path("ownerReferences").forEach(owner -> {
                if (!uids.contains(Json.text(owner, "uid"))) {
                    kept.add(owner);
                }
            });
            Json.metadata(object).set("ownerReferences", kept);
            return object;
        });
    }

    private void dropFinalizer(Store.Place place, String finalizer) {
        edit(place, object -> {
            List<String> finalizers = new ArrayList<>(Finalizers.read(object));
            finalizers.remove(finalizer);
            Finalizers.set(object, finalizers);
            return object;
        });
    }

    private void edit(Store.Place place, java.util.function.UnaryOperator<ObjectNode> change) {
        @Nullable String namespace =
                place.key().namespace().isEmpty() ? null : place.key().namespace();
        api.update(place.type(), namespace, place.key().name(), null, change);
    }
}
