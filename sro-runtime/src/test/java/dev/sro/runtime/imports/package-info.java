@NullMarked
package dev.sro.runtime.imports;

import org.jspecify.annotations.NullMarked;
