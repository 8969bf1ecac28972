/** What is written for container runtimes, and what is read of decorators. */
@NullMarked
package dev.sro.core.cdi;

import org.jspecify.annotations.NullMarked;
