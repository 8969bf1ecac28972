package dev.sro.runtime.webhook;

import dev.sro.core.model.ValueTrees;
import java.util.Map;

/**
 * What the API server asks: {@code request} of an AdmissionReview {@code admission.k8s.io/v1}. Immutable.
 *
 * @param path at which it was asked, without the query
 * @param uid which the response repeats
 * @param operation CREATE, UPDATE, DELETE or CONNECT
 * @param namespace of the object, which it need not say itself; empty outside of namespaces
 * @param dryRun whether nothing is to be stored
 * @param object as it is to be stored; empty on DELETE
 * @param oldObject as it is stored; empty on CREATE
 */
public record AdmissionRequest(
        String path,
        String uid,
        String operation,
        String namespace,
        boolean dryRun,
        Map<String, Object> object,
        Map<String, Object> oldObject) {

    /**
     * The request in a review.
     *
     * @throws IllegalArgumentException if it is no review of this version
     */
    static AdmissionRequest of(String path, Map<String, Object> review) {
        String version = ValueTrees.text(review, "apiVersion");
        String kind = ValueTrees.text(review, "kind");
        if (!version.equals("admission.k8s.io/v1") || !kind.equals("AdmissionReview")) {
            throw new IllegalArgumentException("the body is \"" + kind + "\" of \"" + version
                    + "\", not an AdmissionReview of admission.k8s.io/v1");
        }
        String uid = ValueTrees.text(review, "request", "uid");
        if (uid.isEmpty()) {
            throw new IllegalArgumentException("the review has no request.uid");
        }
        return new AdmissionRequest(
                path,
                uid,
                ValueTrees.text(review, "request", "operation"),
                ValueTrees.text(review, "request", "namespace"),
                "true".equals(ValueTrees.text(review, "request", "dryRun")),
                ValueTrees.map(review, "request", "object"),
                ValueTrees.map(review, "request", "oldObject"));
    }
}
