/** TODO package doc. */
@NullMarked
package dev.sro.plugins.simplekmod;

import org.jspecify.annotations.NullMarked;
