/** TODO package doc. */
@NullMarked
package dev.sro.core;

import org.jspecify.annotations.NullMarked;
