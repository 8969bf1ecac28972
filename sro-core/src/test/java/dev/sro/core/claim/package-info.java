@NullMarked
package dev.sro.core.claim;

import org.jspecify.annotations.NullMarked;
