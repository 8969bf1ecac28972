/**
 * The only package that writes. In: a plan. Out: server-side applies, deletes, status and finalizer patches
 * through the writer port, and what became of them.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.apply;

import org.jspecify.annotations.NullMarked;
