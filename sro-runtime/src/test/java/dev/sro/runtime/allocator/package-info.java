@NullMarked
package dev.sro.runtime.allocator;

import org.jspecify.annotations.NullMarked;
