/** What the Onload plugin makes of a special resource. */
@NullMarked
package dev.sro.plugins.solarflare;

import org.jspecify.annotations.NullMarked;
