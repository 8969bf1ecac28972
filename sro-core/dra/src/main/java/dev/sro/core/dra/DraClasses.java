package dev.sro.core.dra;

import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.catalogue.SliceProfile;
import dev.sro.core.slicing.mig.MigResources;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClassBuilder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * DeviceClasses: one for the whole GPU and one for each profile, with the resource under which plain pods ask for it. A class selects by driver,
 * type and profile exactly, so that no device of another driver, and none that is made for another purpose, is ever taken for it. Stateless.
 */
public final class DraClasses {
    /** What DAS (InstaSlice) calls resources. */
    private static final String DAS_PREFIX = "mig.das.com/";

    private static final String MIG = "mig";

    private final DraOptions options;

    private DraClasses(DraOptions options) {
        this.options = options;
    }

    /**
     * The classes for these models, by name.
     *
     * @param das whether there are classes for the resources of DAS, too: {@code mig.das.com/1g.5gb}
     */
    public static List<DeviceClass> create(Collection<DeviceModel> models, DraOptions options, boolean das) {
        DraClasses classes = new DraClasses(options);
        Map<String, DeviceClass> byName = new TreeMap<>();
        classes.add(byName, classes.whole());
        for (DeviceModel model : models) {
            for (SliceProfile profile : model.profiles()) {
                classes.add(byName, classes.profile(model, profile, profile.name(), ""));
                profile.aliases().stream()
                        .filter(alias -> MigResources.profile(MigResources.resource(alias))
                                .isPresent())
                        .forEach(alias -> classes.add(byName, classes.profile(model, profile, alias, "")));
                if (das && model.scheme().equals(MIG)) {
                    classes.add(byName, classes.profile(model, profile, profile.name(), "das-"));
                }
            }
        }
        return new ArrayList<>(byName.values());
    }

    /** Name of the class for a profile. */
    public static String name(String profile, DraOptions options) {
        return DeviceNames.slug(profile) + "." + options.driver();
    }

    /** Name of the class for whole GPUs. */
    public static String name(DraOptions options) {
        return DeviceFactory.WHOLE + "." + options.driver();
    }

    private void add(Map<String, DeviceClass> byName, DeviceClass deviceClass) {
        byName.putIfAbsent(deviceClass.getMetadata().getName(), deviceClass);
    }

    private DeviceClass whole() {
        return deviceClass(name(options), type(DeviceFactory.WHOLE), Optional.empty());
    }

    private DeviceClass profile(DeviceModel model, SliceProfile profile, String called, String prefix) {
        String resource = prefix.isEmpty() ? MigResources.resource(called) : DAS_PREFIX + called.replace("+", "-plus-");
        // Boards print one profile with several names, and the same name may be a profile of one board and an alias of
        // another.
        List<String> names = new ArrayList<>(List.of(called));
        if (!called.equals(profile.name())) {
            names.add(profile.name());
        }
        String selector = type(model.scheme()) + " && " + attribute(DeviceFactory.PROFILE)
                + (names.size() == 1 ? " == '" + called + "'" : " in ['" + String.join("', '", names) + "']");
        return deviceClass(
                prefix + name(called, options),
                selector,
                Optional.of(resource).filter(name -> model.scheme().equals(MIG)));
    }

    private String type(String type) {
        return "device.driver == '" + options.driver() + "' && " + attribute(DeviceFactory.TYPE) + " == '" + type + "'";
    }

    private String attribute(String name) {
        return "device.attributes['" + options.driver() + "']." + name;
    }

    private static DeviceClass deviceClass(String name, String selector, Optional<String> resource) {
        DeviceClass made = new DeviceClassBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .addNewSelector()
                .withNewCel()
                .withExpression(selector)
                .endCel()
                .endSelector()
                .endSpec()
                .build();
        resource.ifPresent(made.getSpec()::setExtendedResourceName);
        return made;
    }
}
