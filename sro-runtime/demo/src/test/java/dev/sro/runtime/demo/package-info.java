/** The demo. */
@NullMarked
package dev.sro.runtime.demo;

import org.jspecify.annotations.NullMarked;
