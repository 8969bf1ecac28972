/**
 * {@code sro must-gather}. In: a cluster. Out: a folder with what somebody needs who is to find out what is wrong, without secrets.
 *
 * <p>Internal: it may change with any version. Users have the command line.
 */
@NullMarked
package dev.sro.runtime.gather;

import org.jspecify.annotations.NullMarked;
