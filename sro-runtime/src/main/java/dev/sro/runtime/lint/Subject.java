package dev.sro.runtime.lint;

import dev.sro.api.ClusterFacts;
import dev.sro.core.client.codec.Fabric8Codec;
import dev.sro.core.manifest.Desired;
import dev.sro.core.model.ObjectRef;
import dev.sro.runtime.plan.PreviewedResource;
import dev.sro.runtime.plan.Templates;

/**
 * What is looked at.
 *
 * @param previewed the special resource and what it comes to
 * @param templates of its recipe
 * @param facts what the cluster is
 * @param codec between objects and trees
 */
record Subject(PreviewedResource previewed, Templates templates, ClusterFacts facts, Fabric8Codec codec) {

    /** An object with the template it comes from, for messages. */
    String where(Desired desired) {
        ObjectRef ref = desired.object().ref();
        String template = templates.origin(desired);
        return ref + (template.isEmpty() ? "" : " (" + template + ")");
    }
}
