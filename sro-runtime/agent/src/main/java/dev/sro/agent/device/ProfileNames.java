package dev.sro.agent.device;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Names of profiles, as NVIDIA writes them: {@code 1g.5gb}, with {@code +me}, {@code +me.all}, {@code +gfx} or {@code -me} behind, and
 * as they stand in names of Kubernetes. Stateless.
 */
public final class ProfileNames {
    private static final Pattern PROFILE = Pattern.compile("[1-9]g\\.[0-9]+gb(?:\\+me(?:\\.all)?|\\+gfx|-me)?");
    private static final Pattern COMPUTE = Pattern.compile("[1-9]c\\.[1-9]g\\..*");

    private ProfileNames() {}

    /** Why this cannot be the name of a profile that the agent makes; empty if it can. */
    public static Optional<String> problem(String name) {
        if (PROFILE.matcher(name).matches()) {
            return Optional.empty();
        }
        if (COMPUTE.matcher(name).matches()) {
            return Optional.of(
                    "profile " + name + " is a part of a GPU instance, which shares memory and engines with its other"
                            + " parts; ask for the whole instance " + name.substring(name.indexOf('.') + 1));
        }
        return Optional.of(
                "\"" + name + "\" is no profile; profiles look like 1g.5gb, 1g.5gb+me, 1g.24gb+gfx or 1g.24gb-me");
    }

    /** The name in letters, digits and dashes: {@code 1g-5gb-plus-me}, {@code 1g-24gb-no-me}. Different names stay different. */
    public static String label(String name) {
        return name.toLowerCase(Locale.ROOT)
                .replace("-", "-no-")
                .replace("+", "-plus-")
                .replaceAll("[^a-z0-9-]", "-");
    }

    /** The name of the whole GPU in ResourceSlices: {@code gpu-0000-3b-00-0}. */
    public static String device(PciAddress gpu) {
        return "gpu-" + gpu.label();
    }

    /** The name of a place of a GPU in ResourceSlices: {@code gpu-0000-3b-00-0-1g-5gb-plus-me-3}. */
    public static String device(PciAddress gpu, String profile, int start) {
        return "gpu-" + gpu.label() + "-" + label(profile) + "-" + start;
    }
}
