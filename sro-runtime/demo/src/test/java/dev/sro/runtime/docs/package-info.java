/** Holds pages to all commands. In: the pages, the command line. Out: what does not agree. */
@NullMarked
package dev.sro.runtime.docs;

import org.jspecify.annotations.NullMarked;
