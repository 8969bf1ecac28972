/**
 * Kubernetes objects as plain trees, references to them, and SRO's labels and annotations. In: parsed YAML or
 * JSON. Out: immutable values with content digests and comparisons.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.model;

import org.jspecify.annotations.NullMarked;
