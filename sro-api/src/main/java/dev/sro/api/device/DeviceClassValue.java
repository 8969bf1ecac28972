package dev.sro.api.device;

import dev.sro.api.Checks;
import dev.sro.api.Experimental;
import java.util.List;
import java.util.Optional;

/**
 * A DeviceClass of {@code resource.k8s.io/v1}. Immutable.
 *
 * @param name of the object
 * @param selectors CEL expressions over {@code device}, all of which have to hold
 * @param extendedResource name under which pods may ask for it like for a device plugin's resource
 * @since 0.1.0
 */
@Experimental("slices that are made on demand will be offered by it")
public record DeviceClassValue(String name, List<String> selectors, Optional<String> extendedResource) {

    /** Copies and checks. */
    public DeviceClassValue {
        selectors = List.copyOf(selectors);
        Checks.dnsSubdomain("DeviceClassValue.name", name);
        selectors.forEach(expression -> Checks.notBlank("DeviceClassValue.selectors", expression));
        extendedResource.ifPresent(resource -> Checks.ownedName("DeviceClassValue.extendedResource", resource));
    }
}
