package dev.sro.core.placement;

import java.util.List;
import java.util.Map;

/**
 * Which nodes have room for a demand. Immutable.
 *
 * @param fitting those that do, in the order in which they were asked about
 * @param full those that do not now, with the reason
 * @param unsuited those that never will, whatever ends on them, with the reason
 */
public record NodeChoice(List<String> fitting, Map<String, String> full, Map<String, String> unsuited) {}
