@NullMarked
package dev.sro.runtime.scheduler;

import org.jspecify.annotations.NullMarked;
