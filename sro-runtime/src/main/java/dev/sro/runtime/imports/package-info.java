/**
 * What other operators' objects become. In: files with their custom resources. Out: special resources with recipes, and what does not map.
 *
 * <p>Internal: it may change with any version. Users have the command line.
 */
@NullMarked
package dev.sro.runtime.imports;

import org.jspecify.annotations.NullMarked;
