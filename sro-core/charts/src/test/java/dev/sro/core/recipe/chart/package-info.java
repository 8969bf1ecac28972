@NullMarked
package dev.sro.core.recipe.chart;

import org.jspecify.annotations.NullMarked;
