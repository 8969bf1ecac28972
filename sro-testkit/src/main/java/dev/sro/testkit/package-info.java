/** TODO package doc. */
@NullMarked
package dev.sro.testkit;

import org.jspecify.annotations.NullMarked;
