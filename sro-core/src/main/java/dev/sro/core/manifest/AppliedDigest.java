package dev.sro.core.manifest;

import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ValueTrees;

/** The digest of an object in an annotation of itself, which shows later whether it was applied like this. Stateless. */
public final class AppliedDigest {

    private AppliedDigest() {}

    /** The object with its digest. */
    public static KubeObject stamp(KubeObject object) {
        String digest = GeneratedFields.digest(object);
        return object.edit(
                copy -> ValueTrees.ensureMap(copy, "metadata", "annotations").put(MetadataKeys.APPLIED, digest));
    }
}
