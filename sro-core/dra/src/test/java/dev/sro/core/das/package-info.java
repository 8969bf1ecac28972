@NullMarked
package dev.sro.core.das;

import org.jspecify.annotations.NullMarked;
