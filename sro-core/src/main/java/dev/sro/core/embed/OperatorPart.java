package dev.sro.core.embed;

/** A part of a {@link SpecialResourceOperator} that can be left out. What is left out is logged at the start, with what that means. */
public enum OperatorPart {
    /** Helm charts as recipes, from files, ConfigMaps, web servers and registries; Helm runs in a process of its own. */
    CHARTS("special resources whose recipe is a chart fail"),
    /** Looks for images of drivers in registries. */
    DRIVER_IMAGES("special resources that ask for images of drivers wait, and nothing is built"),
    /** {@code PreflightValidation}: whether special resources will run on a kernel to come. */
    PREFLIGHTS("nobody looks at PreflightValidations"),
    /** {@code SpecialResourceModule}: charts for each version of OpenShift. */
    MODULES("nobody looks at SpecialResourceModules"),
    /** Events about special resources, at the API server. */
    EVENTS("what happens is told by the status alone"),
    /** Plugins run on threads of their own, and no longer than a deadline. */
    PLUGIN_DEADLINES("a plugin that hangs holds up special resources of other plugins");

    private final String consequence;

    OperatorPart(String consequence) {
        this.consequence = consequence;
    }

    /** The consequence of leaving it out, for a person. */
    public String consequence() {
        return consequence;
    }
}
