@NullMarked
package dev.sro.core.slicing.simulate;

import org.jspecify.annotations.NullMarked;
