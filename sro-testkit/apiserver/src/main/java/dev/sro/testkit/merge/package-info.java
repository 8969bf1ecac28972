/**
 * The merging machinery of the in-process API server, on plain JSON trees. In: the live object, who owns which of its fields, and
 * a patch (JSON patch, merge patch, strategic merge patch or an applied configuration). Out: the merged object and the new field
 * ownership, or a {@link dev.sro.testkit.merge.MergeException} with the answer that a kube-apiserver would give. No I/O, no state.
 *
 * <p>Internal: it may change with any version. Tests use {@code dev.sro.testkit}.
 */
@NullMarked
package dev.sro.testkit.merge;

import org.jspecify.annotations.NullMarked;
