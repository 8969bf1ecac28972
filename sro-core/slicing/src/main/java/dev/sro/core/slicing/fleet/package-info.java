/**
 * The devices of one model and what is on them, in numbers: in go profile indexes and slots, out come slots. The fast core under
 * {@code SliceAllocator}.
 */
@NullMarked
package dev.sro.core.slicing.fleet;

import org.jspecify.annotations.NullMarked;
