package dev.sro.core.slicing.mig;

import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.catalogue.SliceProfile;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names of extended resources for instances, as NVIDIA's device plugin makes them: with the mixed strategy
 * {@code nvidia.com/mig-} and the profile, {@code +} written as {@code .}; with the single strategy every instance is a
 * {@code nvidia.com/gpu}. Stateless.
 */
public final class MigResources {
    /** The prefix of the names of the mixed strategy. */
    public static final String PREFIX = "nvidia.com/mig-";

    /** The name of every instance with the single strategy. */
    public static final String GPU = "nvidia.com/gpu";

    /** The prefix of DAS (instaslice) in place of {@link #PREFIX}. */
    private static final String DAS_PREFIX = "mig.das.com/";

    /** How DAS writes the {@code +} of a profile. */
    private static final String DAS_PLUS = "-plus-";

    private static final Pattern PROFILE = Pattern.compile("([1-9][0-9]*g\\.[0-9]+gb)(-[a-z]+|[.+][a-z][a-z.]*)?");

    private MigResources() {}

    /** The resource of a profile: {@code 1g.5gb+me} is {@code nvidia.com/mig-1g.5gb.me}. */
    public static String resource(String profile) {
        return PREFIX + profile.replace('+', '.');
    }

    /**
     * The profile of a resource: {@code nvidia.com/mig-1g.24gb.me.all} is {@code 1g.24gb+me.all}. The names of DAS are
     * understood, too: {@code mig.das.com/1g.5gb-plus-me} is {@code 1g.5gb+me}.
     *
     * @return empty if the resource is not one of the mixed strategy
     */
    public static Optional<String> profile(String resource) {
        String name = resource.startsWith(PREFIX)
                ? resource.substring(PREFIX.length())
                : resource.startsWith(DAS_PREFIX)
                        ? resource.substring(DAS_PREFIX.length()).replace(DAS_PLUS, ".")
                        : "";
        Matcher matcher = PROFILE.matcher(name.startsWith("mig-") ? name.substring(4) : name);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        String suffix = matcher.group(2) == null ? "" : matcher.group(2);
        return Optional.of(matcher.group(1) + (suffix.startsWith(".") ? "+" + suffix.substring(1) : suffix));
    }

    /** The profile of a model that a resource means, by name or alias. */
    public static Optional<SliceProfile> profile(DeviceModel model, String resource) {
        return profile(resource).flatMap(model::profile);
    }

    /**
     * The resources that the device plugin advertises for a node, with their numbers. Compute instances that share a GPU instance are not
     * advertised; a device without MIG is one {@link #GPU}.
     *
     * @throws IllegalArgumentException with the single strategy, if instances differ or only some devices are sliced, which
     *     the device plugin refuses
     */
    public static Map<String, Integer> advertised(MigStrategy strategy, Collection<MigLayout> layouts) {
        Map<String, Integer> counts = new TreeMap<>();
        Set<String> shapes = new TreeSet<>();
        for (MigLayout layout : layouts) {
            if (!layout.migEnabled() || strategy == MigStrategy.NONE) {
                counts.merge(GPU, 1, Integer::sum);
                shapes.add("a whole device");
                continue;
            }
            for (MigInstance instance : layout.instances()) {
                shapes.add(instance.profile());
                if (instance.compute().isEmpty()) {
                    counts.merge(strategy == MigStrategy.SINGLE ? GPU : resource(instance.profile()), 1, Integer::sum);
                }
            }
        }
        if (strategy == MigStrategy.SINGLE && shapes.size() > 1) {
            throw new IllegalArgumentException(
                    "the single strategy needs equal instances on all devices of a node, not "
                            + String.join(", ", shapes));
        }
        return counts;
    }
}
