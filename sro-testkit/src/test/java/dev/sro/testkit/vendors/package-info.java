/**
 * The stress set of the contract: what seven vendors need that the others do not, as small plugins with fixture manifests. In:
 * nothing of the vendors' own code or images. Out: proof that the contract can say it, and that the engine brings it to Ready.
 * The seventh is simple-kmod, in its own module.
 */
@NullMarked
package dev.sro.testkit.vendors;

import org.jspecify.annotations.NullMarked;
