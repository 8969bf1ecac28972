package dev.sro.testkit.sim;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.server.ApiException;
import dev.sro.testkit.server.Change;
import dev.sro.testkit.server.ClusterApi;
import dev.sro.testkit.server.DeleteOptions;
import dev.sro.testkit.server.Gvr;
import dev.sro.testkit.server.LabelSelector;
import dev.sro.testkit.server.ResourceRegistry;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Counts the calls of the simulation: each call, and the objects that it gave. Can refuse creates. */
final class CountingApi implements ClusterApi {
    private final ClusterApi api;
    private final Map<String, Long> calls;
    private final AtomicBoolean refusing;

    CountingApi(ClusterApi api) {
        this(api, new TreeMap<>(), new AtomicBoolean());
    }

    private CountingApi(ClusterApi api, Map<String, Long> calls, AtomicBoolean refusing) {
        this.api = api;
        this.calls = calls;
        this.refusing = refusing;
    }

    Map<String, Long> calls() {
        return calls;
    }

    /** Whether creates are refused, as a webhook or a full quota does. */
    void refuseCreates(boolean on) {
        refusing.set(on);
    }

    long total() {
        return calls.values().stream().mapToLong(Long::longValue).sum();
    }

    private void count(String verb, Gvr type, long n) {
        calls.merge(verb + " " + type.plural(), n, Long::sum);
    }

    private List<ObjectNode> counted(String verb, Gvr type, List<ObjectNode> answer) {
        count(verb, type, 1 + answer.size());
        return answer;
    }

    @Override
    public Optional<ObjectNode> get(Gvr type, @Nullable String namespace, String name) {
        count("get", type, 1);
        return api.get(type, namespace, name);
    }

    @Override
    public List<ObjectNode> list(Gvr type) {
        return counted("list", type, api.list(type));
    }

    @Override
    public List<ObjectNode> list(Gvr type, @Nullable String namespace, LabelSelector selector) {
        return counted("list", type, api.list(type, namespace, selector));
    }

    @Override
    public List<ObjectNode> podsOnNode(String nodeName) {
        return counted("podsOnNode", Gvr.PODS, api.podsOnNode(nodeName));
    }

    @Override
    public List<ObjectNode> ownedBy(Gvr type, String ownerUid) {
        return counted("ownedBy", type, api.ownedBy(type, ownerUid));
    }

    @Override
    public List<ObjectNode> ownedBy(String ownerUid) {
        return api.ownedBy(ownerUid);
    }

    @Override
    public ObjectNode create(Gvr type, ObjectNode object) {
        count("create", type, 1);
        if (refusing.get()) {
            throw new ApiException(403, "Forbidden", "exceeded quota");
        }
        return api.create(type, object);
    }

    @Override
    public ObjectNode update(
            Gvr type,
            @Nullable String namespace,
            String name,
            @Nullable String subresource,
            UnaryOperator<ObjectNode> change) {
        count(subresource == null ? "update" : "update/" + subresource, type, 1);
        return api.update(type, namespace, name, subresource, change);
    }

    @Override
    public boolean delete(Gvr type, @Nullable String namespace, String name, DeleteOptions options) {
        count("delete", type, 1);
        return api.delete(type, namespace, name, options);
    }

    @Override
    public Subscription subscribe(@Nullable Gvr type, Consumer<Change> consumer) {
        return api.subscribe(type, consumer);
    }

    @Override
    public long resourceVersion() {
        return api.resourceVersion();
    }

    @Override
    public ClusterApi as(String fieldManager) {
        return new CountingApi(api.as(fieldManager), calls, refusing);
    }

    @Override
    public ResourceRegistry resources() {
        return api.resources();
    }
}
