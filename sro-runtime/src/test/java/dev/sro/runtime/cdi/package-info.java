/** {@code sro cdi}. */
@NullMarked
package dev.sro.runtime.cdi;

import org.jspecify.annotations.NullMarked;
