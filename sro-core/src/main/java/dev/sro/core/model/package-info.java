/**
 * Kubernetes objects as plain trees, references to them, and SRO's labels and annotations. In: parsed YAML or
 * JSON. Out: immutable values with content digests and comparisons.
 */
@NullMarked
package dev.sro.core.model;

import org.jspecify.annotations.NullMarked;
