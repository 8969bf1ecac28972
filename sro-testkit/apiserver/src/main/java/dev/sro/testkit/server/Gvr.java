package dev.sro.testkit.server;

import java.util.Objects;

/**
 * Names a resource type: API group (empty for the core group), version and plural. Immutable.
 *
 * @param group the API group, empty for core
 * @param version for instance {@code v1}
 * @param plural the lower-case plural of the URL, for instance {@code daemonsets}
 */
public record Gvr(String group, String version, String plural) implements Comparable<Gvr> {
    public static final Gvr NODES = core("nodes");
    public static final Gvr NAMESPACES = core("namespaces");
    public static final Gvr PODS = core("pods");
    public static final Gvr CONFIGMAPS = core("configmaps");
    public static final Gvr SECRETS = core("secrets");
    public static final Gvr SERVICES = core("services");
    public static final Gvr SERVICEACCOUNTS = core("serviceaccounts");
    public static final Gvr EVENTS = core("events");
    public static final Gvr DAEMONSETS = new Gvr("apps", "v1", "daemonsets");
    public static final Gvr DEPLOYMENTS = new Gvr("apps", "v1", "deployments");
    public static final Gvr REPLICASETS = new Gvr("apps", "v1", "replicasets");
    public static final Gvr STATEFULSETS = new Gvr("apps", "v1", "statefulsets");
    public static final Gvr CONTROLLERREVISIONS = new Gvr("apps", "v1", "controllerrevisions");
    public static final Gvr JOBS = new Gvr("batch", "v1", "jobs");
    public static final Gvr CRONJOBS = new Gvr("batch", "v1", "cronjobs");
    public static final Gvr PODDISRUPTIONBUDGETS = new Gvr("policy", "v1", "poddisruptionbudgets");
    public static final Gvr LEASES = new Gvr("coordination.k8s.io", "v1", "leases");
    public static final Gvr PRIORITYCLASSES = new Gvr("scheduling.k8s.io", "v1", "priorityclasses");
    public static final Gvr RESOURCECLAIMS = new Gvr("resource.k8s.io", "v1", "resourceclaims");
    public static final Gvr RESOURCECLAIMTEMPLATES = new Gvr("resource.k8s.io", "v1", "resourceclaimtemplates");
    public static final Gvr RESOURCESLICES = new Gvr("resource.k8s.io", "v1", "resourceslices");
    public static final Gvr DEVICECLASSES = new Gvr("resource.k8s.io", "v1", "deviceclasses");
    public static final Gvr CUSTOMRESOURCEDEFINITIONS =
            new Gvr("apiextensions.k8s.io", "v1", "customresourcedefinitions");
    public static final Gvr BUILDS = new Gvr("build.openshift.io", "v1", "builds");
    public static final Gvr BUILDCONFIGS = new Gvr("build.openshift.io", "v1", "buildconfigs");
    public static final Gvr IMAGESTREAMS = new Gvr("image.openshift.io", "v1", "imagestreams");
    public static final Gvr IMAGESTREAMTAGS = new Gvr("image.openshift.io", "v1", "imagestreamtags");

    public Gvr {
        Objects.requireNonNull(group, "group");
        Objects.requireNonNull(version, "version");
        Objects.requireNonNull(plural, "plural");
    }

    /** A type of the core group, version v1. */
    public static Gvr core(String plural) {
        return new Gvr("", "v1", plural);
    }

    /** What stands in {@code apiVersion} of such an object: {@code v1} or {@code apps/v1}. */
    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    /** The group-qualified plural of messages: {@code daemonsets.apps}, {@code pods}. */
    public String groupResource() {
        return group.isEmpty() ? plural : plural + "." + group;
    }

    @Override
    public int compareTo(Gvr other) {
        int c = group.compareTo(other.group);
        if (c == 0) {
            c = plural.compareTo(other.plural);
        }
        return c == 0 ? version.compareTo(other.version) : c;
    }

    @Override
    public String toString() {
        return apiVersion() + "/" + plural;
    }
}
