/**
 * What objects take of a namespace: the resources of pods, what a ResourceQuota counts, what a LimitRange allows, in the words of a
 * kube-apiserver. In: objects as JSON with defaults. Out: amounts by the name of the resource, or what is wrong. No I/O, no state.
 *
 * <p>Internal: it may change with any version. Tests use {@code dev.sro.testkit}.
 */
@NullMarked
package dev.sro.testkit.quota;

import org.jspecify.annotations.NullMarked;
