package dev.sro.runtime.plan;

import dev.sro.api.resource.SpecialResource;
import dev.sro.core.model.Codec;
import dev.sro.core.model.ValueTrees;
import dev.sro.runtime.UnusableInputException;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Reads special resources as an API server would. Stateless. */
final class SpecialResources {

    /** The uid of a special resource that no API server has seen yet. */
    static final String NO_UID = "00000000-0000-0000-0000-000000000000";

    private SpecialResources() {}

    /**
     * The special resources in these documents.
     *
     * @param warnings gets the fields that are not known
     * @throws UnusableInputException if there is none, or one is refused
     */
    static List<SpecialResource> read(List<Document> documents, Codec codec, List<String> warnings) {
        ResourceSchema schema = ResourceSchema.load();
        String wanted = SpecialResource.GROUP + "/" + SpecialResource.VERSION + "/" + SpecialResource.KIND;
        List<SpecialResource> resources = new ArrayList<>();
        for (Document document : documents) {
            if (EarlierVersions.isEarlier(document.tree())) {
                throw new UnusableInputException(
                        document.where(),
                        "is of an earlier version, which API servers refuse today; "
                                + String.join("; ", EarlierVersions.changes(document.tree()))
                                + "; \"sro migrate FILE\" does it");
            }
            if (document.kindKey().equals(FileModules.KIND_KEY)) {
                throw new UnusableInputException(
                        document.where(),
                        "is a SpecialResourceModule, which is built for versions and not for nodes; give --kernel RELEASE for"
                                + " each, or --nodes FILE for those of nodes");
            }
            if (!document.kindKey().equals(wanted)) {
                throw new UnusableInputException(
                        document.where(), "is a " + document.kindKey() + "; a " + wanted + " is needed");
            }
            // The definition says nothing of metadata.
            new Document(document.where(), Map.of("metadata", ValueTrees.map(document.tree(), "metadata")))
                    .as(GenericKubernetesResource.class, codec);
            warnings.addAll(schema.check(document));
            resources.add(document.as(SpecialResource.class, codec));
        }
        if (resources.isEmpty()) {
            throw new UnusableInputException("-f", "there is no special resource in the file");
        }
        return resources;
    }
}
