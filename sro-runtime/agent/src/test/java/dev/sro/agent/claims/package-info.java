@NullMarked
package dev.sro.agent.claims;

import org.jspecify.annotations.NullMarked;
