/** TODO package doc. */
@NullMarked
package dev.sro.plugins.solarflare;

import org.jspecify.annotations.NullMarked;
