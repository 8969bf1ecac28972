package dev.sro.core.client.writer;

import dev.sro.api.resource.SpecialResource;
import dev.sro.api.resource.SpecialResourceStatus;
import dev.sro.core.apply.ClusterWriter;
import dev.sro.core.apply.StoredNode;
import dev.sro.core.apply.WriteException;
import dev.sro.core.client.account.Impersonation;
import dev.sro.core.client.codec.Fabric8Codec;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.NodeFields;
import dev.sro.core.model.NodeVerdict;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.RecipeAccount;
import dev.sro.core.partition.TaintChange;
import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.policy.v1.EvictionBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.function.Function;

/** Writes with fabric8's client: server-side apply, and deletes with a uid as precondition. Thread-safe. */
public final class ClientWriter implements ClusterWriter {

    /** What the Special Resource Operator's client was called: by its program, {@code /manager}, and by its own name. */
    private static final Set<String> FORMER_MANAGERS = Set.of("manager", "special-resource-operator");

    private final KubernetesClient client;
    private final Fabric8Codec codec;
    private final WriteRequests requests;
    private final NodeWriter nodes;
    private final WriteConditions terms;
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
        this(client, codec, kinds, () -> {}, WriteConditions.DEFAULT);
    }

    /**
     * The same.
     *
     * @param missing told when the API server answers an apply that there is no such thing: the kind may not be served any more
     * @param terms by whose name, and as long as when
     */
    public ClientWriter(
            KubernetesClient client,
            Fabric8Codec codec,
            Function<ObjectRef, Optional<ResourceDefinitionContext>> kinds,
            Runnable missing,
            WriteConditions terms) {
        this.client = client;
        this.codec = codec;
        this.terms = terms;
        this.kinds = kinds;
        this.missing = missing;
        this.requests = new WriteRequests(client, codec, kinds, missing, terms);
        this.nodes = new NodeWriter(client, requests);
    }

    @Override
    public ClusterWriter as(RecipeAccount account) {
        return new ClientWriter(Impersonation.as(account, client), codec, kinds, missing, terms);
    }

    @Override
    public KubeObject create(KubeObject object) throws WriteException {
        GenericKubernetesResource existing = requests.live(object.ref());
        if (existing == null) {
            return patch(object, false);
        }
        KubeObject found = KubeObject.of(codec.toTree(existing));
        if (!found.label(MetadataKeys.SPECIAL_RESOURCE).equals(object.label(MetadataKeys.SPECIAL_RESOURCE))
                || !found.label(MetadataKeys.DEPENDENCY).equals(object.label(MetadataKeys.DEPENDENCY))) {
            throw new WriteException(
                    WriteException.Kind.NOT_OWNED,
                    "exists already and was not made for this special resource (label " + MetadataKeys.SPECIAL_RESOURCE
                            + " is "
                            + found.label(MetadataKeys.SPECIAL_RESOURCE).orElse("absent")
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
        GenericKubernetesResource live = requests.live(ref);
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
            requests.change(ref, patch);
        }
        return patch(object, true);
    }

    @Override
    public void delete(ObjectRef ref, String uid, boolean foreground) throws WriteException {
        ResourceDefinitionContext kind = requests.kind(ref);
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
        terms.check();
        try {
            Errors.translate(() -> client.raw(path, "DELETE", options));
        } catch (WriteException e) {
            if (!Errors.isGone(e)) {
                throw e;
            }
        }
    }

    @Override
    public StoredNode labelNode(String node, String uid, String manager, NodeFields marks) throws WriteException {
        return nodes.labelNode(node, uid, manager, marks);
    }

    @Override
    public StoredNode clearNode(String node, String uid, SortedSet<String> labels, SortedSet<String> annotations)
            throws WriteException {
        return nodes.clearNode(node, uid, labels, annotations);
    }

    @Override
    public StoredNode taintNode(String node, String uid, TaintChange change) throws WriteException {
        return nodes.taintNode(node, uid, change);
    }

    @Override
    public StoredNode judgeNode(String node, String uid, String manager, SortedMap<String, NodeVerdict> verdicts)
            throws WriteException {
        return nodes.judgeNode(node, uid, manager, verdicts);
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
        terms.check();
        try {
            Errors.translate(() -> client.raw(path, "POST", eviction));
        } catch (WriteException e) {
            if (!Errors.isGone(e)) {
                throw e;
            }
        }
    }

    @Override
    public SpecialResource updateStatus(ObjectRef ref, String uid, SpecialResourceStatus status) throws WriteException {
        Map<String, Object> tree = WriteRequests.tree(ref, WriteRequests.metadata(ref, uid));
        tree.put("status", codec.toTree(status));
        return typed(requests.apply(ref, tree, "status", terms.fieldManager(), true));
    }

    /**
     * Server-side apply of the status of another kind of ours, as long as it is the same object.
     *
     * @return the object as stored
     */
    public <T extends HasMetadata> T applyStatus(T owner, Object status, Class<T> type) throws WriteException {
        ObjectRef ref = new ObjectRef(
                owner.getApiVersion(), owner.getKind(), "", owner.getMetadata().getName());
        Map<String, Object> tree = WriteRequests.tree(
                ref, WriteRequests.metadata(ref, owner.getMetadata().getUid()));
        tree.put("status", codec.toTree(status));
        return codec.fromTree(codec.toTree(requests.apply(ref, tree, "status", terms.fieldManager(), true)), type);
    }

    @Override
    public SpecialResource setFinalizer(ObjectRef ref, String uid, boolean present) throws WriteException {
        Map<String, Object> metadata = WriteRequests.metadata(ref, uid);
        if (present) {
            metadata.put("finalizers", List.of(MetadataKeys.FINALIZER));
        }
        GenericKubernetesResource stored =
                requests.apply(ref, WriteRequests.tree(ref, metadata), "", terms.fieldManager(), true);
        // Apply takes away what we hold; the operator before us held the same finalizer by another name, and an older
        // one.
        for (String finalizer : List.of(MetadataKeys.FINALIZER, MetadataKeys.OLD_FINALIZER)) {
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
        return requests.change(ref, patch);
    }

    private KubeObject patch(KubeObject object, boolean force) throws WriteException {
        // A special resource, of a dependency or of a recipe, has a finalizer of ours as well, which is applied by
        // itself: apply takes away whatever else the manager holds.
        String manager = object.ref().apiVersion().startsWith(SpecialResource.GROUP + "/")
                ? terms.resourceManager()
                : terms.fieldManager();
        return KubeObject.of(codec.toTree(requests.apply(object.ref(), object.tree(), "", manager, force)));
    }

    private SpecialResource typed(GenericKubernetesResource stored) {
        return codec.fromTree(codec.toTree(stored), SpecialResource.class);
    }
}
