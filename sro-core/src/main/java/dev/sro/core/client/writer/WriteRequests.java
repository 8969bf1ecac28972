package dev.sro.core.client.writer;

import dev.sro.core.apply.WriteException;
import dev.sro.core.client.codec.Fabric8Codec;
import dev.sro.core.model.ObjectRef;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The requests that writes are made of, on objects of any kind. Thread-safe. */
final class WriteRequests {

    private final KubernetesClient client;
    private final Fabric8Codec codec;
    private final Function<ObjectRef, Optional<ResourceDefinitionContext>> kinds;
    private final Runnable missing;
    private final WriteConditions terms;

    /**
     * @param kinds how the kind of an object is served, asked with each request; empty if it is not
     * @param missing told when the API server answers an apply that there is no such thing: the kind may not be served any more
     * @param terms as long as when writes are made
     */
    WriteRequests(
            KubernetesClient client,
            Fabric8Codec codec,
            Function<ObjectRef, Optional<ResourceDefinitionContext>> kinds,
            Runnable missing,
            WriteConditions terms) {
        this.client = client;
        this.codec = codec;
        this.kinds = kinds;
        this.missing = missing;
        this.terms = terms;
    }

    /**
     * Server-side apply. fabric8 reads the object first when it is given a patch as text, and does not when it is given an item.
     *
     * @param subresource empty for the object itself
     */
    GenericKubernetesResource apply(
            ObjectRef ref, Map<String, Object> tree, String subresource, String manager, boolean force)
            throws WriteException {
        terms.check();
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

    /** A JSON patch. */
    GenericKubernetesResource change(ObjectRef ref, List<Map<String, String>> patch) throws WriteException {
        return patch(ref, PatchType.JSON, patch);
    }

    /** A merge patch: null takes away. */
    GenericKubernetesResource merge(ObjectRef ref, Map<String, ?> patch) throws WriteException {
        return patch(ref, PatchType.JSON_MERGE, patch);
    }

    private GenericKubernetesResource patch(ObjectRef ref, PatchType type, Object patch) throws WriteException {
        terms.check();
        String text = client.getKubernetesSerialization().asJson(patch);
        // Of a name alone the client would ask for the object first, for which SRO may have no right.
        GenericKubernetesResource named = new GenericKubernetesResource();
        named.setApiVersion(ref.apiVersion());
        named.setKind(ref.kind());
        named.setMetadata(new ObjectMetaBuilder()
                .withName(ref.name())
                .withNamespace(ref.namespace().isEmpty() ? null : ref.namespace())
                .build());
        return Errors.translate(() -> operations(ref).resource(named).patch(PatchContext.of(type), text));
    }

    /** Before each write that is not made here. */
    void check() throws WriteException {
        terms.check();
    }

    /** The object as it is now; null if there is none. */
    @Nullable GenericKubernetesResource live(ObjectRef ref) throws WriteException {
        return Errors.translate(() -> operations(ref).withName(ref.name()).get());
    }

    static Map<String, Object> metadata(ObjectRef ref, String uid) {
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("name", ref.name());
        metadata.put("uid", uid);
        return metadata;
    }

    static Map<String, Object> tree(ObjectRef ref, Map<String, ?> metadata) {
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

    /** How the kind is served. */
    ResourceDefinitionContext kind(ObjectRef ref) throws WriteException {
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
