@NullMarked
package dev.sro.core.allocation;

import org.jspecify.annotations.NullMarked;
