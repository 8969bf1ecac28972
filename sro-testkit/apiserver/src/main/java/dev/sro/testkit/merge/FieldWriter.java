package dev.sro.testkit.merge;

import java.time.Instant;

/**
 * Who writes, for managedFields. Immutable.
 *
 * @param manager the field manager; empty is recorded as {@code unknown}
 * @param apiVersion the apiVersion of the request's path, for instance {@code apps/v1}
 * @param subresource for instance {@code status}; empty for the object itself
 * @param time when; written with a resolution of one second
 */
public record FieldWriter(String manager, String apiVersion, String subresource, Instant time) {

    /** The group of the version; empty for the core. */
    String group() {
        int slash = apiVersion.indexOf('/');
        return slash < 0 ? "" : apiVersion.substring(0, slash);
    }
}
