package dev.sro.testkit.sim;

/** Names that OpenShift builds and their pods share. */
final class Builds {
    /** Names the Build that a pod works for. */
    static final String POD_ANNOTATION = "openshift.io/build.name";

    private Builds() {}
}
