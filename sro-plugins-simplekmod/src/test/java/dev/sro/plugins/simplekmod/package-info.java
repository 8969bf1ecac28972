/** What the simple-kmod plugin makes of a special resource. */
@NullMarked
package dev.sro.plugins.simplekmod;

import org.jspecify.annotations.NullMarked;
