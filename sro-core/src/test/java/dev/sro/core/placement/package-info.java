@NullMarked
package dev.sro.core.placement;

import org.jspecify.annotations.NullMarked;
