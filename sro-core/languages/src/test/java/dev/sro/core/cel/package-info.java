/** Tests of the package of this name: expressions in, values out. */
@NullMarked
package dev.sro.core.cel;

import org.jspecify.annotations.NullMarked;
