package dev.sro.core.recipe.generated;

import java.util.List;
import java.util.stream.Stream;

/**
 * A text of a recipe as its author means it, before it is written down as a template or with a placeholder.
 *
 * @param parts one after the other
 */
record Word(List<Part> parts) {

    /** Of which a text consists. */
    sealed interface Part permits Plain, Var {}

    /** What stands there. */
    record Plain(String text) implements Part {}

    /** What the operator of the time knew. */
    enum Var implements Part {
        KERNEL,
        PATCH,
        OS_MAJOR,
        OS_MINOR,
        OS_DECIMAL,
        RESOURCE,
        NAMESPACE,
        HARDWARE,
        NODE_FEATURE,
        GROUP_DRIVER,
        GROUP_PLUGIN,
        STATE_DRIVER,
        GIT_REF,
        CONFIGURED,
        HOST_PATH,
        CLUSTER_VERSION,
        CLUSTER_MINOR,
        PUSH_SECRET,
        OS_IMAGE,
        UPDATE_VENDOR,
        HTTP_PROXY,
        NO_PROXY,
        TRUSTED_CA,
        GROUP_BUILD,
        GROUP_RUNTIME,
        GROUP_MONITORING,
        GROUP_FEATURES,
        STATE_RUNTIME,
        STATE_PLUGIN,
        STATE_MONITORING,
        /** Words of dashboards for the cluster's Prometheus. */
        PROMETHEUS_URL,
        PROMETHEUS_USER,
        PROMETHEUS_PASS
    }

    static Word of(String text) {
        return new Word(List.of(new Plain(text)));
    }

    static Word of(Var variable) {
        return new Word(List.of(variable));
    }

    Word and(String text) {
        return and(new Plain(text));
    }

    Word and(Part part) {
        return new Word(Stream.concat(parts.stream(), Stream.of(part)).toList());
    }

    boolean has(Var variable) {
        return parts.contains(variable);
    }
}
