@NullMarked
package dev.sro.agent.emulated;

import org.jspecify.annotations.NullMarked;
