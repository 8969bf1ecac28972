@NullMarked
package dev.sro.josdk;

import org.jspecify.annotations.NullMarked;
