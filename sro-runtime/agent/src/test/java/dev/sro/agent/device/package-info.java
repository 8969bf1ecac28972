@NullMarked
package dev.sro.agent.device;

import org.jspecify.annotations.NullMarked;
