/**
 * {@code sro test}. In: the record of a release, with its test hooks. Out: whether they succeed, and the log of one that does not.
 *
 * <p>Internal: it may change with any version. Users have the command line.
 */
@NullMarked
package dev.sro.runtime.tests;

import org.jspecify.annotations.NullMarked;
