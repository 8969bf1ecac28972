@NullMarked
package dev.sro.agent.slice;

import org.jspecify.annotations.NullMarked;
