/** Tests of what stands between the upgrade machine and a cluster. */
@NullMarked
package dev.sro.core.rollout;

import org.jspecify.annotations.NullMarked;
