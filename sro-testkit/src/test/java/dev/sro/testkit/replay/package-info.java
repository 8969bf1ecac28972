/**
 * Plays recorded exchanges of a real API server to another one and compares. In: a folder with {@code scenarios/} and {@code cases/}.
 * Out: per case the steps that the answers differ in.
 */
@NullMarked
package dev.sro.testkit.replay;

import org.jspecify.annotations.NullMarked;
