/**
 * Pictures: in go devices and claims, out comes text or SVG that shows which claim sits where, what is free and what still fits.
 */
@NullMarked
package dev.sro.core.slicing.render;

import org.jspecify.annotations.NullMarked;
