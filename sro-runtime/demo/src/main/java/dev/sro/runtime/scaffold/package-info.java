/**
 * {@code sro new}. In: who the vendor is and what the card is called. Out: the project of a plugin that builds and gets Ready, from
 * the same files that Maven's archetype has.
 *
 * <p>Internal: it may change with any version. Users have the command line.
 */
@NullMarked
package dev.sro.runtime.scaffold;

import org.jspecify.annotations.NullMarked;
