/**
 * Files that survive the loss of power at any byte, and files of another system's root, whose links are followed inside of it.
 *
 * <p>Internal: it may change with any version. The agent is a process, not a library.
 */
@NullMarked
package dev.sro.agent.file;

import org.jspecify.annotations.NullMarked;
