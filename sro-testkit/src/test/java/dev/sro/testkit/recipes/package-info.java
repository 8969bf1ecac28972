/** Special resources whose recipes are numbered manifests, on the embedded cluster. */
@NullMarked
package dev.sro.testkit.recipes;

import org.jspecify.annotations.NullMarked;
