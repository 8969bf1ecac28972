/** Will hold the plugin for Solarflare adapters with Onload. Holds nothing yet: nothing comes in, nothing goes out. */
@NullMarked
package dev.sro.plugins.solarflare;

import org.jspecify.annotations.NullMarked;
