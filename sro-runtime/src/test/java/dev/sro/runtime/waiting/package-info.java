@NullMarked
package dev.sro.runtime.waiting;

import org.jspecify.annotations.NullMarked;
