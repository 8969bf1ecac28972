@NullMarked
package dev.sro.agent.file;

import org.jspecify.annotations.NullMarked;
