@NullMarked
package dev.sro.agent.cdi;

import org.jspecify.annotations.NullMarked;
