package dev.sro.core.client;

import dev.sro.api.resource.SpecialResource;
import dev.sro.api.resource.SpecialResourceStatus;
import dev.sro.core.apply.ClusterWriter;
import dev.sro.core.apply.StoredNode;
import dev.sro.core.apply.WriteException;
import dev.sro.core.facts.NodeProjector;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.Marks;
import dev.sro.core.model.NodeMarks;
import dev.sro.core.model.NodeVerdict;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.partition.NodeTaints;
import dev.sro.core.partition.TaintChange;
import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.policy.v1.EvictionBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Writes with fabric8's client: server-side apply, and deletes with a uid as precondition. Thread-safe. */
public final class ClientWriter implements ClusterWriter {

    /** What the Special Resource Operator's client was called: by its program, {@code /manager}, and by its own name. */
    private static final Set<String> FORMER_MANAGERS = Set.of("manager", "special-resource-operator");

    private final KubernetesClient client;
    private final Fabric8Codec codec;
    private final Function<ObjectRef, Optional<ResourceDefinitionContext>> kinds;
    private final Runnable missing;

    /**
     * Writes with this client.
     *
     * @param kinds how the kind of an object is served, asked with each write; empty if it is not
     */
    public ClientWriter(
            KubernetesClient client,
            Fabric8Codec codec,
            Function<ObjectRef, Optional<ResourceDefinitionContext>> kinds) {
        this(client, codec, kinds, () -> {});
    }

    /**
     * The same.
     *
     * @param missing told when the API server answers an apply that there is no such thing: the kind may not be served any more
     */
    ClientWriter(
            KubernetesClient client,
            Fabric8Codec codec,
            Function<ObjectRef, Optional<ResourceDefinitionContext>> kinds,
            Runnable missing) {
        this.missing = missing;
        this.client = client;
        this.codec = codec;
        this.kinds = kinds;
    }

    @Override
    public KubeObject create(KubeObject object) throws WriteException {
        GenericKubernetesResource existing = Errors.translate(
                () -> operations(object.ref()).withName(object.ref().name()).get());
        if (existing == null) {
            return patch(object, false);
        }
        KubeObject found = KubeObject.of(codec.toTree(existing));
        if (!found.label(Marks.SPECIAL_RESOURCE).equals(object.label(Marks.SPECIAL_RESOURCE))
                || !found.label(Marks.DEPENDENCY).equals(object.label(Marks.DEPENDENCY))) {
            throw new WriteException(
                    WriteException.Kind.NOT_OWNED,
                    "exists already and was not made for this special resource (label " + Marks.SPECIAL_RESOURCE
                            + " is " + found.label(Marks.SPECIAL_RESOURCE).orElse("absent")
                            + "); delete it, or choose another name or namespace");
        }
        return patch(object, true);
    }

    @Override
    public KubeObject apply(KubeObject object) throws WriteException {
        return patch(object, true);
    }

    @Override
    public KubeObject adopt(KubeObject object) throws WriteException {
        ObjectRef ref = object.ref();
        GenericKubernetesResource live =
                Errors.translate(() -> operations(ref).withName(ref.name()).get());
        List<ManagedFieldsEntry> entries =
                live == null ? List.of() : live.getMetadata().getManagedFields();
        List<Map<String, String>> patch = new ArrayList<>();
        // From the end, because the others move up.
        for (int i = entries.size() - 1; i >= 0; i--) {
            ManagedFieldsEntry entry = entries.get(i);
            if (FORMER_MANAGERS.contains(String.valueOf(entry.getManager()))
                    && "Update".equals(entry.getOperation())
                    && (entry.getSubresource() == null || entry.getSubresource().isEmpty())) {
                String path = "/metadata/managedFields/" + i;
                patch.add(Map.of("op", "test", "path", path + "/manager", "value", entry.getManager()));
                patch.add(Map.of("op", "remove", "path", path));
            }
        }
        if (!patch.isEmpty()) {
            String text = client.getKubernetesSerialization().asJson(patch);
            Errors.translate(() -> operations(ref).withName(ref.name()).patch(PatchContext.of(PatchType.JSON), text));
        }
        return patch(object, true);
    }

    @Override
    public void delete(ObjectRef ref, String uid, boolean foreground) throws WriteException {
        ResourceDefinitionContext kind = kind(ref);
        String path = (kind.getGroup().isEmpty() ? "/api/" : "/apis/" + kind.getGroup() + "/") + kind.getVersion()
                + (kind.isNamespaceScoped() ? "/namespaces/" + ref.namespace() : "") + "/" + kind.getPlural() + "/"
                + ref.name();
        DeleteOptionsBuilder wish = new DeleteOptionsBuilder()
                .withApiVersion("v1")
                .withKind("DeleteOptions")
                .withPropagationPolicy(foreground ? "Foreground" : "Background");
        if (!uid.isEmpty()) {
            wish.withNewPreconditions().withUid(uid).endPreconditions();
        }
        Object options = wish.build();
        try {
            Errors.translate(() -> client.raw(path, "DELETE", options));
        } catch (WriteException e) {
            if (!Errors.isGone(e)) {
                throw e;
            }
        }
    }

    @Override
    public StoredNode labelNode(String node, String uid, String manager, NodeMarks marks) throws WriteException {
        ObjectRef ref = new ObjectRef("v1", "Node", "", node);
        Map<String, Object> metadata = metadata(ref, uid);
        Map<String, String> labels = marks.labels();
        if (!labels.isEmpty()) {
            metadata.put("labels", labels);
        }
        if (!marks.annotations().isEmpty()) {
            metadata.put("annotations", marks.annotations());
        }
        Map<String, Object> tree = tree(ref, metadata);
        if (marks.cordoned()) {
            tree.put("spec", Map.of("unschedulable", true));
        }
        GenericKubernetesResource stored = patch(ref, tree, "", manager, false);
        Map<String, @Nullable String> left = new TreeMap<>();
        stored.getMetadata().getLabels().keySet().stream()
                .filter(label -> !labels.containsKey(label))
                .filter(label -> Marks.stateLabelOwner(label)
                        .filter(owner -> Marks.nodeManager(owner).equals(manager))
                        .isPresent())
                .forEach(label -> left.put(label, null));
        return stored(left.isEmpty() ? stored : withoutLabels(ref, uid, left));
    }

    @Override
    public StoredNode clearNode(String node, String uid, SortedSet<String> labels, SortedSet<String> annotations)
            throws WriteException {
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("uid", uid);
        metadata.put("labels", nothing(labels));
        metadata.put("annotations", nothing(annotations));
        String text = client.getKubernetesSerialization().asJson(Map.of("metadata", metadata));
        // Of a name alone the client would ask for the node first, for which SRO has no right.
        Node named =
                new NodeBuilder().withNewMetadata().withName(node).endMetadata().build();
        return StoredNode.of(
                Errors.translate(() -> client.resource(named).patch(PatchContext.of(PatchType.JSON_MERGE), text)));
    }

    private static Map<String, @Nullable String> nothing(SortedSet<String> keys) {
        Map<String, @Nullable String> nothing = new TreeMap<>();
        keys.forEach(key -> nothing.put(key, null));
        return nothing;
    }

    @Override
    public void evict(ObjectRef pod, String uid) throws WriteException {
        String path = "/api/v1/namespaces/" + pod.namespace() + "/pods/" + pod.name() + "/eviction";
        Object eviction = new EvictionBuilder()
                .withNewMetadata()
                .withName(pod.name())
                .withNamespace(pod.namespace())
                .endMetadata()
                .withDeleteOptions(new DeleteOptionsBuilder()
                        .withNewPreconditions()
                        .withUid(uid)
                        .endPreconditions()
                        .build())
                .build();
        try {
            Errors.translate(() -> client.raw(path, "POST", eviction));
        } catch (WriteException e) {
            if (!Errors.isGone(e)) {
                throw e;
            }
        }
    }

    @Override
    public StoredNode taintNode(String node, String uid, TaintChange change) throws WriteException {
        // By a list, for which SRO has the right anyway.
        Node live = Errors.translate(() ->
                        client.nodes().withField("metadata.name", node).list().getItems())
                .stream()
                .filter(each -> uid.equals(each.getMetadata().getUid()))
                .findFirst()
                .orElseThrow(() -> new WriteException(WriteException.Kind.NOT_FOUND, "node " + node + " is gone"));
        List<Taint> before = live.getSpec() == null ? List.of() : live.getSpec().getTaints();
        String annotation = change.share().map(TaintChange.Share::annotation).orElse("");
        NodeTaints known =
                new NodeTaints(before.stream().map(NodeProjector::text).toList(), recorded(live, annotation));
        NodeTaints wanted = change.on(known);
        if (wanted.equals(known)) {
            return StoredNode.of(live);
        }
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("uid", uid);
        metadata.put("resourceVersion", live.getMetadata().getResourceVersion());
        if (!wanted.recorded().equals(known.recorded())) {
            Map<String, @Nullable String> record = new HashMap<>();
            record.put(annotation, wanted.recorded().isEmpty() ? null : wanted.text());
            metadata.put("annotations", record);
        }
        Map<String, Object> patch = new LinkedHashMap<>();
        patch.put("metadata", metadata);
        if (!wanted.taints().equals(known.taints())) {
            patch.put("spec", Map.of("taints", taints(before, wanted.taints())));
        }
        String text = client.getKubernetesSerialization().asJson(patch);
        return StoredNode.of(
                Errors.translate(() -> client.resource(live).patch(PatchContext.of(PatchType.JSON_MERGE), text)));
    }

    @Override
    public StoredNode judgeNode(String node, String uid, String manager, SortedMap<String, NodeVerdict> verdicts)
            throws WriteException {
        ObjectRef ref = new ObjectRef("v1", "Node", "", node);
        Map<String, Object> tree = tree(ref, metadata(ref, uid));
        List<Map<String, String>> conditions = new ArrayList<>();
        verdicts.forEach((type, verdict) -> conditions.add(verdict.condition(type)));
        if (!conditions.isEmpty()) {
            tree.put("status", Map.of("conditions", conditions));
        }
        return stored(patch(ref, tree, "status", manager, false));
    }

    private StoredNode stored(GenericKubernetesResource node) {
        return StoredNode.of(client.getKubernetesSerialization().convertValue(node, Node.class));
    }

    private static List<String> recorded(Node node, String annotation) {
        Map<String, String> annotations = node.getMetadata().getAnnotations();
        return NodeTaints.parse(annotations == null ? "" : annotations.getOrDefault(annotation, ""));
    }

    /** Those that stay keep what a text does not have: since when they are there. */
    private static List<Taint> taints(List<Taint> before, List<String> wanted) {
        return wanted.stream()
                .map(text -> before.stream()
                        .filter(each -> NodeProjector.text(each).equals(text))
                        .findFirst()
                        .orElseGet(() -> NodeProjector.taint(text)))
                .toList();
    }

    /** Those of the operator before us, which holds them by another name. */
    private GenericKubernetesResource withoutLabels(ObjectRef ref, String uid, Map<String, @Nullable String> labels)
            throws WriteException {
        String text =
                client.getKubernetesSerialization().asJson(Map.of("metadata", Map.of("uid", uid, "labels", labels)));
        return Errors.translate(
                () -> operations(ref).withName(ref.name()).patch(PatchContext.of(PatchType.JSON_MERGE), text));
    }

    @Override
    public SpecialResource updateStatus(ObjectRef ref, String uid, SpecialResourceStatus status) throws WriteException {
        Map<String, Object> tree = tree(ref, metadata(ref, uid));
        tree.put("status", codec.toTree(status));
        return typed(patch(ref, tree, "status", Marks.FIELD_MANAGER, true));
    }

    /**
     * Server-side apply of the status of another kind of ours, as long as it is the same object.
     *
     * @return the object as stored
     */
    <T extends HasMetadata> T applyStatus(T owner, Object status, Class<T> type) throws WriteException {
        ObjectRef ref = new ObjectRef(
                owner.getApiVersion(), owner.getKind(), "", owner.getMetadata().getName());
        Map<String, Object> tree = tree(ref, metadata(ref, owner.getMetadata().getUid()));
        tree.put("status", codec.toTree(status));
        return codec.fromTree(codec.toTree(patch(ref, tree, "status", Marks.FIELD_MANAGER, true)), type);
    }

    @Override
    public SpecialResource setFinalizer(ObjectRef ref, String uid, boolean present) throws WriteException {
        Map<String, Object> metadata = metadata(ref, uid);
        if (present) {
            metadata.put("finalizers", List.of(Marks.FINALIZER));
        }
        GenericKubernetesResource stored = patch(ref, tree(ref, metadata), "", Marks.FIELD_MANAGER, true);
        // Apply takes away what we hold; the operator before us held the same finalizer by another name, and an older
        // one.
        for (String finalizer : List.of(Marks.FINALIZER, Marks.OLD_FINALIZER)) {
            int held = stored.getMetadata().getFinalizers().indexOf(finalizer);
            if (!present && held >= 0) {
                stored = withoutFinalizer(ref, uid, held, finalizer);
            }
        }
        return typed(stored);
    }

    private GenericKubernetesResource withoutFinalizer(ObjectRef ref, String uid, int index, String finalizer)
            throws WriteException {
        String path = "/metadata/finalizers/" + index;
        List<Map<String, String>> patch = List.of(
                Map.of("op", "test", "path", "/metadata/uid", "value", uid),
                Map.of("op", "test", "path", path, "value", finalizer),
                Map.of("op", "remove", "path", path));
        String text = client.getKubernetesSerialization().asJson(patch);
        return Errors.translate(
                () -> operations(ref).withName(ref.name()).patch(PatchContext.of(PatchType.JSON), text));
    }

    private KubeObject patch(KubeObject object, boolean force) throws WriteException {
        // As a special resource it has a finalizer of ours as well, which is applied by itself: apply takes away
        // whatever else
        // the manager holds.
        String manager = object.label(Marks.DEPENDENCY).isPresent() ? Marks.DEPENDENCY_MANAGER : Marks.FIELD_MANAGER;
        return KubeObject.of(codec.toTree(patch(object.ref(), object.tree(), "", manager, force)));
    }

    /** fabric8 reads the object first when it is given a patch as text, and does not when it is given an item. */
    private GenericKubernetesResource patch(
            ObjectRef ref, Map<String, Object> tree, String subresource, String manager, boolean force)
            throws WriteException {
        Resource<GenericKubernetesResource> resource =
                operations(ref).resource(codec.fromTree(tree, GenericKubernetesResource.class));
        try {
            return Errors.translate(() -> subresource.isEmpty()
                    ? resource.patch(context(manager, force))
                    : resource.subresource(subresource).patch(context(manager, force)));
        } catch (WriteException e) {
            if (e.kind() == WriteException.Kind.NOT_FOUND) {
                missing.run();
            }
            throw e;
        }
    }

    private SpecialResource typed(GenericKubernetesResource stored) {
        return codec.fromTree(codec.toTree(stored), SpecialResource.class);
    }

    private static Map<String, Object> metadata(ObjectRef ref, String uid) {
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("name", ref.name());
        metadata.put("uid", uid);
        return metadata;
    }

    private static Map<String, Object> tree(ObjectRef ref, Map<String, ?> metadata) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("apiVersion", ref.apiVersion());
        tree.put("kind", ref.kind());
        tree.put("metadata", metadata);
        return tree;
    }

    private static PatchContext context(String manager, boolean force) {
        return new PatchContext.Builder()
                .withPatchType(PatchType.SERVER_SIDE_APPLY)
                .withFieldManager(manager)
                .withForce(force)
                .build();
    }

    private ResourceDefinitionContext kind(ObjectRef ref) throws WriteException {
        return kinds.apply(ref)
                .orElseThrow(() -> new WriteException(
                        WriteException.Kind.NOT_FOUND, "the cluster does not serve " + ref.kindKey()));
    }

    private NonNamespaceOperation<
                    GenericKubernetesResource, GenericKubernetesResourceList, Resource<GenericKubernetesResource>>
            operations(ObjectRef ref) throws WriteException {
        ResourceDefinitionContext kind = kind(ref);
        MixedOperation<GenericKubernetesResource, GenericKubernetesResourceList, Resource<GenericKubernetesResource>>
                all = client.genericKubernetesResources(kind);
        return kind.isNamespaceScoped() ? all.inNamespace(ref.namespace()) : all;
    }
}
