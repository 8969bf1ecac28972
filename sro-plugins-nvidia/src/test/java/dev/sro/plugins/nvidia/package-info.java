@NullMarked
package dev.sro.plugins.nvidia;

import org.jspecify.annotations.NullMarked;
