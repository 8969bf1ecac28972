@NullMarked
package dev.sro.agent;

import org.jspecify.annotations.NullMarked;
