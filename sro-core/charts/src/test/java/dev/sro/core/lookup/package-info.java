@NullMarked
package dev.sro.core.lookup;

import org.jspecify.annotations.NullMarked;
