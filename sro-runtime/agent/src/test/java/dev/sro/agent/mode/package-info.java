@NullMarked
package dev.sro.agent.mode;

import org.jspecify.annotations.NullMarked;
