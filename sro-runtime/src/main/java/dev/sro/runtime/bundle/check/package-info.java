/**
 * What is wrong with a bundle for the Operator Lifecycle Manager. In: its files. Out: findings, by rules that documentation lists.
 *
 * <p>Internal: it may change with any version. Users have the command line.
 */
@NullMarked
package dev.sro.runtime.bundle.check;

import org.jspecify.annotations.NullMarked;
