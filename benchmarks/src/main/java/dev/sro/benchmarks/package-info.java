/**
 * JMH benchmarks of the engine and of the embedded cluster. In: worlds of a given size, made once. Out: figures for
 * docs/benchmarks.md. Not published.
 */
@NullMarked
package dev.sro.benchmarks;

import org.jspecify.annotations.NullMarked;
