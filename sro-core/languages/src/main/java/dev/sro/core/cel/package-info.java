/**
 * The Common Expression Language as Kubernetes has it: parser, type check, interpreter, and the functions of its libraries. A
 * language by itself: it knows nothing of SRO. In: an expression and values. Out: a value, or an error with a position.
 */
@NullMarked
package dev.sro.core.cel;

import org.jspecify.annotations.NullMarked;
