/** Tests of the package of this name: revisions, journals that were lost, pods in the way. */
@NullMarked
package dev.sro.core.upgrade.cluster;

import org.jspecify.annotations.NullMarked;
