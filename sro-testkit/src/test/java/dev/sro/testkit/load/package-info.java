/** How modules come onto the nodes of a cluster: objects that an API server takes, and scenarios on simulated nodes. */
@NullMarked
package dev.sro.testkit.load;

import org.jspecify.annotations.NullMarked;
