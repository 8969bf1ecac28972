@NullMarked
package dev.sro.core.recipe.source;

import org.jspecify.annotations.NullMarked;
