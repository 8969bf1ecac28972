/** The whole house, with the commands of all jars. */
@NullMarked
package dev.sro.runtime;

import org.jspecify.annotations.NullMarked;
