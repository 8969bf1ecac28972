package dev.sro.runtime.demo;

/**
 * A part of the demo. Immutable.
 *
 * @param number from one on
 * @param of how many
 * @param name one word
 * @param title a line
 */
record Phase(int number, int of, String name, String title) {}
