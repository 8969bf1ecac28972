package dev.sro.core.yaml;

/**
 * A token of YAML. Immutable.
 *
 * @param kind what it is
 * @param value text of a scalar, an anchor or an alias; the suffix of a tag; the prefix of a directive
 * @param handle of a tag or a directive
 * @param plain whether a scalar has neither quotes nor an indicator of a block
 * @param line from one
 */
record YamlToken(Kind kind, String value, String handle, boolean plain, int line) {

    /** Kinds. */
    enum Kind {
        STREAM_END,
        VERSION,
        TAG_HANDLE,
        DOCUMENT_START,
        DOCUMENT_END,
        BLOCK_LIST,
        BLOCK_MAP,
        BLOCK_END,
        FLOW_LIST,
        FLOW_LIST_END,
        FLOW_MAP,
        FLOW_MAP_END,
        BLOCK_ENTRY,
        FLOW_ENTRY,
        KEY,
        VALUE,
        ALIAS,
        ANCHOR,
        TAG,
        SCALAR
    }

    static YamlToken of(Kind kind, int line) {
        return new YamlToken(kind, "", "", false, line);
    }

    static YamlToken of(Kind kind, String value, int line) {
        return new YamlToken(kind, value, "", false, line);
    }

    boolean is(Kind other) {
        return kind == other;
    }
}
