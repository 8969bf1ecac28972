package dev.sro.core.manifest;

import java.util.Map;

/** Changes the tree of an object that has just been decoded. Implementations are stateless. */
interface ObjectHook {

    /** Changes the tree in place. */
    void apply(Map<String, Object> tree, HookContext context);
}
