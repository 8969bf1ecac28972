/** Holds the documentation to the code. In: the pages, and the sources of this repository. Out: what does not agree. */
@NullMarked
package dev.sro.runtime.docs;

import org.jspecify.annotations.NullMarked;
