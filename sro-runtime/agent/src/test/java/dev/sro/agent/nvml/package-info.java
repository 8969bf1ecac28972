@NullMarked
package dev.sro.agent.nvml;

import org.jspecify.annotations.NullMarked;
