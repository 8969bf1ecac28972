@NullMarked
package dev.sro.core.monitoring;

import org.jspecify.annotations.NullMarked;
