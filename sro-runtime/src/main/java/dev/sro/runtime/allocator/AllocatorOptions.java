package dev.sro.runtime.allocator;

import java.time.Duration;
import java.util.Optional;

/**
 * What the allocator does. Immutable.
 *
 * @param driver whose devices it gives
 * @param preempts whether pods of lower priority end where one finds no room
 * @param makeRoom whether others move where one finds no room
 * @param holdAfter how long pods that find no room wait before room is held for them; empty if it never is
 */
record AllocatorOptions(String driver, boolean preempts, MakeRoom makeRoom, Optional<Duration> holdAfter) {}
