package dev.sro.core.model;

import dev.sro.api.resource.SpecialResource;

/** What SRO does with the objects of a special resource, as {@code spec.managementState} says it. */
public enum ManagementState {
    /** It keeps them as they have to be. So it does for {@code Force}, where nothing is said, and for words that are none. */
    MANAGED,
    /** It keeps its hands off. */
    UNMANAGED,
    /** It removes them, and the special resource stays. */
    REMOVED;

    /** What a special resource says. */
    public static ManagementState of(SpecialResource resource) {
        String said = String.valueOf(Specs.of(resource).getManagementState());
        return switch (said) {
            case "Unmanaged" -> UNMANAGED;
            case "Removed" -> REMOVED;
            default -> MANAGED;
        };
    }
}
