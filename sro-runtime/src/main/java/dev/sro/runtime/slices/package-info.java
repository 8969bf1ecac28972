/** {@code sro slices}: the slicing library on the command line, files in, tables, JSON and pictures out. */
@NullMarked
package dev.sro.runtime.slices;

import org.jspecify.annotations.NullMarked;
