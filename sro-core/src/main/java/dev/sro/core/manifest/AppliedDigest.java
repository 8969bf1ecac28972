package dev.sro.core.manifest;

import dev.sro.core.model.KubeObject;
import dev.sro.core.model.Marks;
import dev.sro.core.model.Trees;

/** The digest of an object in an annotation of itself, which shows later whether it was applied like this. Stateless. */
public final class AppliedDigest {

    private AppliedDigest() {}

    /** The object with its digest. */
    public static KubeObject stamp(KubeObject object) {
        String digest = object.digest();
        return object.edit(
                copy -> Trees.ensureMap(copy, "metadata", "annotations").put(Marks.APPLIED, digest));
    }
}
