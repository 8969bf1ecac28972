@NullMarked
package dev.sro.core.slicing.catalogue;

import org.jspecify.annotations.NullMarked;
