@NullMarked
package dev.sro.core.module;

import org.jspecify.annotations.NullMarked;
