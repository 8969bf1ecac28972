@NullMarked
package dev.sro.agent.node;

import org.jspecify.annotations.NullMarked;
