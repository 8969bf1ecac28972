package dev.sro.api;

import java.util.Map;
import java.util.Set;
import org.immutables.value.Value;

/**
 * Facts of the cluster, as far as recipes depend on them. Immutable; equal clusters give equal values.
 *
 * @since 0.1.0
 */
@Value.Immutable
@ValueStyle
public abstract class ClusterFacts {

    /** The API whose presence tells OpenShift from other distributions. */
    private static final String OPENSHIFT_API = "config.openshift.io/v1/ClusterVersion";

    ClusterFacts() {}

    /** Version of the API server, for example {@code v1.36.2}; empty when unknown. */
    @Value.Default
    public String kubernetesVersion() {
        return "";
    }

    /** Served kinds as {@code group/version/Kind}; the core group is written {@code v1/Kind}. */
    public abstract Set<String> servedKinds();

    /** Those of {@link #servedKinds()} that live outside of namespaces. */
    public abstract Set<String> clusterScopedKinds();

    /**
     * Resources as {@code plural.group}, which is how CRDs are named; those of the core group are left out. May be empty
     * where it is not known.
     */
    public abstract Set<String> servedResources();

    /** Version of OpenShift, for example {@code 4.12.3}: the newest that an update to was completed; empty elsewhere, or when unknown. */
    @Value.Default
    public String openShiftVersion() {
        return "";
    }

    /** The image of the machines' operating system on OpenShift; empty elsewhere, or when unknown. */
    @Value.Default
    public String machineOsImage() {
        return "";
    }

    /** The cluster-wide proxy of OpenShift; {@link ProxySettings#NONE} elsewhere. */
    @Value.Default
    public ProxySettings proxy() {
        return ProxySettings.NONE;
    }

    /**
     * Driver toolkit images of OpenShift by their tags: the versions of the machines' operating system that they are for, and
     * {@code latest}.
     */
    public abstract Map<String, String> driverToolkits();

    /**
     * Driver toolkit images of OpenShift, of all tags, by the kernels that are in them: with the architecture at their end, as
     * {@code uname -r} prints them. Only those that could be read so far.
     */
    public abstract Map<String, String> driverToolkitKernels();

    /** Names of the secrets with which OpenShift's builds push, by namespace. */
    public abstract Map<String, String> pushSecrets();

    /** Whether the API server serves this kind. */
    public final boolean serves(String apiVersion, String kind) {
        return servedKinds().contains(apiVersion + "/" + kind);
    }

    /** True on OpenShift. */
    public final boolean isOpenShift() {
        return servedKinds().contains(OPENSHIFT_API);
    }

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** Builds {@link ClusterFacts}. Not thread-safe. */
    public static final class Builder extends ImmutableClusterFacts.Builder {
        Builder() {}
    }
}
