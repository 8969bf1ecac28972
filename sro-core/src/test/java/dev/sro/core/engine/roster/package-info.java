/** Tests of which nodes are served. In: nodes. Out: rosters. */
@NullMarked
package dev.sro.core.engine.roster;

import org.jspecify.annotations.NullMarked;
