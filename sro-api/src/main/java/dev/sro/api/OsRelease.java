package dev.sro.api;

/**
 * The operating system of a node.
 *
 * @param id as in os-release, lower case: {@code rhcos}, {@code rhel}, {@code ubuntu}, {@code sles}, {@code flatcar}
 * @param version the version that drivers are built for: {@code 8.4} (of RHCOS its RHEL version), {@code 22.04}
 * @since 0.1.0
 */
public record OsRelease(String id, String version) implements Comparable<OsRelease> {

    /** {@code 8} of {@code 8.4}. */
    public String major() {
        int dot = version.indexOf('.');
        return dot < 0 ? version : version.substring(0, dot);
    }

    @Override
    public int compareTo(OsRelease other) {
        int byId = id.compareTo(other.id);
        return byId != 0 ? byId : version.compareTo(other.version);
    }

    @Override
    public String toString() {
        return version.isEmpty() ? id : id + version;
    }
}
