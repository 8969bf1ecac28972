package dev.sro.runtime.allocator;

/**
 * What the allocator does. Immutable.
 *
 * @param driver whose devices it gives
 * @param preempts whether pods of lower priority end where one finds no room
 * @param makeRoom whether others move where one finds no room
 */
record AllocatorOptions(String driver, boolean preempts, MakeRoom makeRoom) {}
