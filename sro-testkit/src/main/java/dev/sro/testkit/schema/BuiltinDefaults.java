package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** Defaulting of built-in types, as the API server does when it decodes an object. Stateless. */
public final class BuiltinDefaults {
    private BuiltinDefaults() {}

    /** Sets defaults in place; nothing for unknown types. Group is empty for core. Idempotent. */
    public static void apply(String group, String version, String kind, ObjectNode object) {}
}
