/**
 * {@code sro upgrade}: looks at upgrades of drivers, and steers them by what a user may write.
 *
 * <p>Internal: it may change with any version. Users have the command line.
 */
@NullMarked
package dev.sro.runtime.upgrades;

import org.jspecify.annotations.NullMarked;
