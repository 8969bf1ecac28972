@NullMarked
package dev.sro.agent.fleet;

import org.jspecify.annotations.NullMarked;
