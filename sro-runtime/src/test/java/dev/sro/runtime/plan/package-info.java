/** Plans from files. */
@NullMarked
package dev.sro.runtime.plan;

import org.jspecify.annotations.NullMarked;
