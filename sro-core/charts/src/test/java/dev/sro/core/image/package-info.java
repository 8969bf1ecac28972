@NullMarked
package dev.sro.core.image;

import org.jspecify.annotations.NullMarked;
