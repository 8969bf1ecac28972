@NullMarked
package dev.sro.agent.metrics;

import org.jspecify.annotations.NullMarked;
