/**
 * {@code sro slices}: the slicing library on the command line, files in, tables, JSON and pictures out.
 *
 * <p>Internal: it may change with any version. Users have the command line.
 */
@NullMarked
package dev.sro.runtime.slices;

import org.jspecify.annotations.NullMarked;
