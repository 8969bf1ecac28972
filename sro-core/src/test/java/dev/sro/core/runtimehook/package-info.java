/** Which node gets which files, and how they come onto it. */
@NullMarked
package dev.sro.core.runtimehook;

import org.jspecify.annotations.NullMarked;
