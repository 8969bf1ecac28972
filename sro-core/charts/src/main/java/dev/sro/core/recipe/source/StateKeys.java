package dev.sro.core.recipe.source;

/** Marks of the first generations of the Special Resource Operator on ConfigMaps with states. */
public final class StateKeys {

    /** Label {@code "true"}: the ConfigMap is a recipe. */
    public static final String CONFIG = "specialresource.openshift.io/config";

    /** Annotation: key of the label that a node must have with the value {@code true}. */
    public static final String NODE_FEATURE = "specialresource.openshift.io/nfd";

    /** Annotation: name of the hardware, which is that of the special resource. */
    public static final String HARDWARE = "specialresource.openshift.io/hardware";

    private StateKeys() {}
}
