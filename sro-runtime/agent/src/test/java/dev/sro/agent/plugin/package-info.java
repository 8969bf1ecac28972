@NullMarked
package dev.sro.agent.plugin;

import org.jspecify.annotations.NullMarked;
