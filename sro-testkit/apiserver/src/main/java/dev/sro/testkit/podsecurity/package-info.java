/**
 * The Pod Security Standards as a kube-apiserver holds pods against them. In: labels of a namespace, a pod or the template of one, as JSON
 * with defaults. Out: which standard counts, and what the pod does that it forbids, in the words of a kube-apiserver. No I/O, no state.
 *
 * <p>Internal: it may change with any version. Tests use {@code dev.sro.testkit}.
 */
@NullMarked
package dev.sro.testkit.podsecurity;

import org.jspecify.annotations.NullMarked;
