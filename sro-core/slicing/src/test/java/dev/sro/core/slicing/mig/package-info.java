@NullMarked
package dev.sro.core.slicing.mig;

import org.jspecify.annotations.NullMarked;
