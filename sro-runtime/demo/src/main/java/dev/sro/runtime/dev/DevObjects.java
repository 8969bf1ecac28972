package dev.sro.runtime.dev;

import dev.sro.api.resource.SpecialResource;
import dev.sro.core.model.ValueTrees;
import dev.sro.runtime.Clients;
import dev.sro.runtime.UnusableInputException;
import dev.sro.runtime.plan.Document;
import dev.sro.testkit.operator.SroSandbox;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** Brings the objects of files into the cluster, again when the files change. Confined to one thread. */
final class DevObjects {

    private static final String SPECIAL_RESOURCE =
            SpecialResource.GROUP + "/" + SpecialResource.VERSION + "/" + SpecialResource.KIND;

    private static final PatchContext APPLY = new PatchContext.Builder()
            .withPatchType(PatchType.SERVER_SIDE_APPLY)
            .withFieldManager("sro-dev")
            .withForce(true)
            .build();

    private final List<Path> files;
    private final FileWatch watch;
    private List<Document> documents;

    /**
     * Reads them.
     *
     * @throws UnusableInputException if one cannot be read, or none has a special resource
     */
    DevObjects(List<Path> files) {
        this.files = files;
        this.watch = new FileWatch(() -> files);
        this.documents = read();
        if (specialResources().isEmpty()) {
            throw new UnusableInputException("-f", "there is no special resource in the files");
        }
    }

    private List<Document> read() {
        return Document.read(files);
    }

    /** Whether the files were changed; reads them again then. */
    boolean changed() {
        if (!watch.changed()) {
            return false;
        }
        documents = read();
        return true;
    }

    /** Names of the special resources. */
    SortedSet<String> specialResources() {
        SortedSet<String> names = new TreeSet<>();
        documents.stream()
                .filter(DevObjects::isSpecialResource)
                .map(Document::name)
                .forEach(names::add);
        return names;
    }

    List<Document> documents() {
        return documents;
    }

    static boolean isSpecialResource(Document document) {
        return document.kindKey().equals(SPECIAL_RESOURCE);
    }

    /**
     * Applies all of them, in their order; a namespace that they are in and nobody has made is there as well.
     *
     * @throws UnusableInputException if the API server refuses one
     */
    void applyTo(SroSandbox sandbox) {
        for (Document document : documents) {
            GenericKubernetesResource object = sandbox.client()
                    .getKubernetesSerialization()
                    .convertValue(document.tree(), GenericKubernetesResource.class);
            try {
                makeNamespace(sandbox, ValueTrees.text(document.tree(), "metadata", "namespace"));
                sandbox.client().resource(object).patch(APPLY);
            } catch (KubernetesClientException e) {
                throw new UnusableInputException(document.where(), Clients.message(e));
            }
            // A definition is served, and a namespace there, before the next one needs it.
            sandbox.cluster().settle();
        }
    }

    private static void makeNamespace(SroSandbox sandbox, String name) {
        if (!name.isEmpty() && sandbox.client().namespaces().withName(name).get() == null) {
            sandbox.client()
                    .resource(new NamespaceBuilder()
                            .withNewMetadata()
                            .withName(name)
                            .endMetadata()
                            .build())
                    .create();
            sandbox.cluster().settle();
        }
    }
}
