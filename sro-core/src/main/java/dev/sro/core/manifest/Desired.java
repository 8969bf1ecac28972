package dev.sro.core.manifest;

import dev.sro.core.model.KubeObject;
import org.jspecify.annotations.Nullable;

/**
 * An object that shall exist. Immutable.
 *
 * @param object complete, with SRO's labels and annotations
 * @param state id of the state it belongs to
 * @param pool name of the pool it is for; null when it serves all
 */
public record Desired(
        KubeObject object, String state, @Nullable String pool) {}
