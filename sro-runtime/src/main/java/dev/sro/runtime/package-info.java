/** TODO package doc. */
@NullMarked
package dev.sro.runtime;

import org.jspecify.annotations.NullMarked;
