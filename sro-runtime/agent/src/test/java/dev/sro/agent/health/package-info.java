@NullMarked
package dev.sro.agent.health;

import org.jspecify.annotations.NullMarked;
