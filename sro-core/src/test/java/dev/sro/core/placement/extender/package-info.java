@NullMarked
package dev.sro.core.placement.extender;

import org.jspecify.annotations.NullMarked;
