@NullMarked
package dev.sro.runtime.slices;

import org.jspecify.annotations.NullMarked;
