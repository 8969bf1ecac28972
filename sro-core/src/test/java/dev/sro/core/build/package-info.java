@NullMarked
package dev.sro.core.build;

import org.jspecify.annotations.NullMarked;
