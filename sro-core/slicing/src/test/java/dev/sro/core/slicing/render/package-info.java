@NullMarked
package dev.sro.core.slicing.render;

import org.jspecify.annotations.NullMarked;
