/** The command line as a user meets it, and the directions of the whole house. */
@NullMarked
package dev.sro.runtime;

import org.jspecify.annotations.NullMarked;
