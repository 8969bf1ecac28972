package dev.sro.core.feature;

import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;

/**
 * What rules come to on a node. Keys are whole, with the prefix that NFD puts before those that have none.
 *
 * @param labels for the node
 * @param annotations for the node
 * @param extendedResources capacities of the node
 * @param taints {@code key=value:Effect}, as far as NFD is told to write taints
 * @param variables labels and variables by their names in the rules, which later rules see as {@code rule.matched}
 * @param matched names of the rules that matched, in their order
 * @param problems what NFD would drop and log, each with the name of its rule
 */
public record RuleResult(
        SortedMap<String, String> labels,
        SortedMap<String, String> annotations,
        SortedMap<String, String> extendedResources,
        SortedSet<String> taints,
        SortedMap<String, String> variables,
        List<String> matched,
        List<String> problems) {}
