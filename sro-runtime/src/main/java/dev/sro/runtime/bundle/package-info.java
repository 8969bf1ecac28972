/**
 * {@code sro bundle}. In: what installs the operator, plugins, and what a catalogue says of it. Out: a bundle for the Operator
 * Lifecycle Manager, or what is wrong with one.
 *
 * <p>Internal: it may change with any version. Users have the command line.
 */
@NullMarked
package dev.sro.runtime.bundle;

import org.jspecify.annotations.NullMarked;
