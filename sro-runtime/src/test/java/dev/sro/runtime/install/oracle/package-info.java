/** Tests that hold what SRO writes against the tools that users read it with; only compiled with -Pslow. */
@NullMarked
package dev.sro.runtime.install.oracle;

import org.jspecify.annotations.NullMarked;
