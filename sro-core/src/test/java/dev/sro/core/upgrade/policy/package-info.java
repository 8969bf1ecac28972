/** Tests of the package of this name: what a policy comes to, names of labels, windows. */
@NullMarked
package dev.sro.core.upgrade.policy;

import org.jspecify.annotations.NullMarked;
