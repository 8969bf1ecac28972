@NullMarked
package dev.sro.agent.publish;

import org.jspecify.annotations.NullMarked;
