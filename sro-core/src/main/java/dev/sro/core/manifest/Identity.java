package dev.sro.core.manifest;

import dev.sro.core.model.Codec;
import dev.sro.core.model.MismatchException;
import dev.sro.core.model.ValueTrees;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.Map;

/** What a document has to say to be an object at all. Stateless. */
final class Identity {

    private Identity() {}

    /**
     * Checks that it says which object it is.
     *
     * @param where the document is, for messages
     */
    static void require(Map<String, Object> tree, String where) {
        if (ValueTrees.text(tree, "apiVersion").isEmpty()
                || ValueTrees.text(tree, "kind").isEmpty()
                || ValueTrees.text(tree, "metadata", "name").isEmpty()) {
            throw RenderException.vendor(
                    "InvalidManifest",
                    where + ": every object needs apiVersion, kind and metadata.name; one with kind \""
                            + ValueTrees.text(tree, "kind") + "\" and name \""
                            + ValueTrees.text(tree, "metadata", "name")
                            + "\" has not");
        }
    }

    /** As an object of the client. Metadata has types, and what does not fit them is nobody's object. */
    static GenericKubernetesResource typed(Codec codec, Map<String, Object> tree, String where) {
        try {
            return codec.fromTree(tree, GenericKubernetesResource.class);
        } catch (IllegalArgumentException e) {
            // A message of its own is one of several lines, with types of Java.
            String why =
                    e instanceof MismatchException wrong ? wrong.getMessage() + "; correct it" : "correct its fields";
            throw RenderException.vendor(
                    "InvalidManifest",
                    where + ": " + tree.get("kind") + " \"" + ValueTrees.text(tree, "metadata", "name")
                            + "\" has a value of a wrong type: " + why);
        }
    }
}
