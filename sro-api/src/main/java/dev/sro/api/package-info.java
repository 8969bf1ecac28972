/** TODO package doc. */
@NullMarked
package dev.sro.api;

import org.jspecify.annotations.NullMarked;
