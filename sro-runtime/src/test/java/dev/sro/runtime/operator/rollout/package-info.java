/** The operator's processes under a rolling kernel update, with everything going wrong that can, and on two servers compared. */
@NullMarked
package dev.sro.runtime.operator.rollout;

import org.jspecify.annotations.NullMarked;
