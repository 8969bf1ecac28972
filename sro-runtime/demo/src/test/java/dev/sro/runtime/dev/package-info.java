/** Tests of {@code sro dev}. In: files, a plugin that is compiled for them. Out: what the command prints and what its cluster has. */
@NullMarked
package dev.sro.runtime.dev;

import org.jspecify.annotations.NullMarked;
