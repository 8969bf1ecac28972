package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.merge.ManagedFields;

/**
 * One version of an object as it is kept: the object without managedFields, who owns its fields, and its version. Immutable; the
 * tree must not be modified.
 */
record Stored(ObjectNode object, ManagedFields fields, long version) {}
