/** What other operators' objects become. In: files with their custom resources. Out: special resources with recipes, and what does not map. */
@NullMarked
package dev.sro.runtime.imports;

import org.jspecify.annotations.NullMarked;
