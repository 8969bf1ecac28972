package dev.sro.core.manifest;

import java.util.Set;

/** Kinds whose spec cannot change: a changed one is deleted and made anew. Stateless. */
public final class ReplacedKinds {

    /** The kinds. */
    public static final Set<String> KINDS = Set.of("Job", "Pod");

    private ReplacedKinds() {}
}
