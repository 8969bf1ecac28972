package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** {@link ClusterApi} straight onto the store. */
final class LocalClusterApi implements ClusterApi {
    private final ServerParts parts;
    private final String manager;

    LocalClusterApi(ServerParts parts, String manager) {
        this.parts = parts;
        this.manager = manager;
    }

    private ResourceType type(Gvr gvr) {
        return parts.registry.find(gvr).orElseThrow(Errors::noSuchResource);
    }

    @Override
    public Optional<ObjectNode> get(Gvr type, @Nullable String namespace, String name) {
        Optional<ResourceType> known = parts.registry.find(type);
        if (known.isEmpty()) {
            return Optional.empty();
        }
        Key key = Key.of(known.get().namespaced() ? namespace : null, name);
        return parts.store.locked(() ->
                Optional.ofNullable(parts.store.get(known.get().storage(), key)).map(Stored::object));
    }

    @Override
    public List<ObjectNode> list(Gvr type) {
        return list(type, null, LabelSelector.everything());
    }

    @Override
    public List<ObjectNode> list(Gvr type, @Nullable String namespace, LabelSelector selector) {
        Optional<ResourceType> known = parts.registry.find(type);
        if (known.isEmpty()) {
            return List.of();
        }
        return parts.store.locked(() -> {
            List<ObjectNode> objects = new ArrayList<>();
            for (Stored stored : parts.store.table(known.get().storage()).in(namespace)) {
                if (selector.matchesObject(stored.object())) {
                    objects.add(stored.object());
                }
            }
            return objects;
        });
    }

    @Override
    public List<ObjectNode> podsOnNode(String nodeName) {
        return parts.store.locked(() -> objects(Gvr.PODS, parts.store.podsOn(nodeName)));
    }

    private List<ObjectNode> objects(Gvr type, List<Key> keys) {
        List<ObjectNode> objects = new ArrayList<>(keys.size());
        for (Key key : keys) {
            Stored stored = parts.store.get(type, key);
            if (stored != null) {
                objects.add(stored.object());
            }
        }
        return objects;
    }

    @Override
    public List<ObjectNode> ownedBy(Gvr type, String ownerUid) {
        Gvr storage = type(type).storage();
        return owned(ownerUid, storage);
    }

    @Override
    public List<ObjectNode> ownedBy(String ownerUid) {
        return owned(ownerUid, null);
    }

    private List<ObjectNode> owned(String ownerUid, @Nullable Gvr storage) {
        return parts.store.locked(() -> {
            List<ObjectNode> objects = new ArrayList<>();
            for (Store.Place place : parts.store.ownedBy(ownerUid)) {
                Stored stored = parts.store.get(place.type(), place.key());
                if (stored != null && (storage == null || storage.equals(place.type()))) {
                    objects.add(stored.object());
                }
            }
            return objects;
        });
    }

    private WriteCall call(ResourceType type, @Nullable String namespace, String name, @Nullable String subresource) {
        return new WriteCall(
                type,
                namespace,
                name,
                subresource == null ? "" : subresource,
                manager,
                identity(),
                false,
                WriteCall.FieldValidation.IGNORE);
    }

    /** As whom webhooks see a controller. */
    private ApiRequest.Identity identity() {
        return manager.equals("kube-apiserver")
                ? new ApiRequest.Identity("system:apiserver", List.of("system:masters"))
                : new ApiRequest.Identity("system:" + manager, List.of());
    }

    @Override
    public ObjectNode create(Gvr type, ObjectNode object) {
        WriteCall call = call(type(type), Json.textOrNull(object, "metadata", "namespace"), "", null);
        ObjectNode copy = object.deepCopy();
        return parts.writes
                .run(call, () -> parts.writer.create(call, call.reviews == null ? copy : copy.deepCopy()))
                .stored()
                .object();
    }

    @Override
    public ObjectNode update(
            Gvr type,
            @Nullable String namespace,
            String name,
            @Nullable String subresource,
            UnaryOperator<ObjectNode> change) {
        WriteCall call = call(type(type), namespace, name, subresource);
        return parts.writes
                .run(call, () -> parts.writer.modify(call, change))
                .stored()
                .object();
    }

    @Override
    public boolean delete(Gvr type, @Nullable String namespace, String name, DeleteOptions options) {
        WriteCall call = call(type(type), namespace, name, null);
        return parts.writes.run(call, () -> {
            if (parts.store.get(call.type.storage(), call.key()) == null) {
                return false;
            }
            parts.deleter.delete(call, options);
            return true;
        });
    }

    @Override
    public Subscription subscribe(@Nullable Gvr type, Consumer<Change> consumer) {
        return parts.store.locked(() -> parts.store.subscribe(type, consumer));
    }

    @Override
    public long resourceVersion() {
        return parts.store.locked(parts.store::version);
    }

    @Override
    public ClusterApi as(String fieldManager) {
        return new LocalClusterApi(parts, fieldManager);
    }

    @Override
    public ResourceRegistry resources() {
        return parts.registry;
    }
}
