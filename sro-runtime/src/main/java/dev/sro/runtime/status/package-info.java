/** {@code sro status}. In: special resources of a cluster. Out: how far each is, and what is stuck where, for people and programs. */
@NullMarked
package dev.sro.runtime.status;

import org.jspecify.annotations.NullMarked;
