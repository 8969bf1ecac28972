/** Plans from files. */
@NullMarked
package dev.sro.runtime.plan.access;

import org.jspecify.annotations.NullMarked;
