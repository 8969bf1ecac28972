/**
 * What the in-process API server knows about the shape of objects. In: the built-in type table and the structural schemas of
 * CustomResourceDefinitions. Out: merge topology ({@link dev.sro.testkit.schema.TypeSchema}), defaulting, pruning of unknown
 * fields, and validation errors with the texts of a kube-apiserver. No I/O but the reading of the type table; no mutable state.
 *
 * <p>Internal: it may change with any version. Tests use {@code dev.sro.testkit}.
 */
@NullMarked
package dev.sro.testkit.schema;

import org.jspecify.annotations.NullMarked;
