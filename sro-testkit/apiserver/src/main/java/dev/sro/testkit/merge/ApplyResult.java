package dev.sro.testkit.merge;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * What an apply made. The object is the live one itself when no field changed.
 *
 * @param object the merged object, before defaulting; shares no node with the patch, but may share nodes with the live object
 * @param fields who owns what after it
 * @param changed whether the object differs from the live one (ownership may have changed even if not)
 */
public record ApplyResult(ObjectNode object, ManagedFields fields, boolean changed) {}
