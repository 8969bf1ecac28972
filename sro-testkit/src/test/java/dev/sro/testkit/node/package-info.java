/** The parts of real nodes that need no machine. In: settings, files, sockets. Out: what a run would be given. */
@NullMarked
package dev.sro.testkit.node;

import org.jspecify.annotations.NullMarked;
