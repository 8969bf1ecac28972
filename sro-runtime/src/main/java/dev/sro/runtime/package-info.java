/**
 * The command line. In: arguments, files and plugin jars. Out: exit codes and text; everything that is worth knowing is
 * decided in the core.
 *
 * <p>Internal: it may change with any version. Users have the command line.
 */
@NullMarked
package dev.sro.runtime;

import org.jspecify.annotations.NullMarked;
