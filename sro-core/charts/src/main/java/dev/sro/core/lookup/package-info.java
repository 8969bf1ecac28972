/**
 * Questions whose answers take time: a registry, a log, a repository. In comes what is asked and how it is looked up; out come what is
 * known now, when to ask again, and who is to be told. Nothing here waits, and nothing waits for ever: every look-up ends, and one
 * that is no success has a time at which it is tried again. {@link dev.sro.core.lookup.MonotonicClock} measures these times.
 *
 * <p>Internal: it may change with any version. Applications use {@code dev.sro.core.embed}.
 */
@NullMarked
package dev.sro.core.lookup;

import org.jspecify.annotations.NullMarked;
