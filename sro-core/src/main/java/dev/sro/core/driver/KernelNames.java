package dev.sro.core.driver;

import dev.sro.api.KernelVersion;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** Names of a kernel in the forms that Kernel Module Management has for them. Stateless. */
public final class KernelNames {

    private static final Pattern NOT_TAG = Pattern.compile("[^A-Za-z0-9._-]");
    private static final Pattern SEPARATOR = Pattern.compile("[.,-]");
    private static final int PARTS = 3;

    private KernelNames() {}

    /** What mappings are matched against: as the kernel says, without one {@code +} at its end. */
    public static String matched(KernelVersion kernel) {
        String raw = kernel.raw();
        return raw.endsWith("+") ? raw.substring(0, raw.length() - 1) : raw;
    }

    /** As templates have it: every character that no tag can have is an underscore. */
    public static String normalized(String kernel) {
        return NOT_TAG.matcher(kernel).replaceAll("_");
    }

    /** The variables of templates. */
    static Map<String, String> variables(KernelVersion kernel) {
        String name = normalized(matched(kernel));
        String[] parts = SEPARATOR.split(name, -1);
        if (parts.length < PARTS) {
            throw DriverException.invalid(
                    "kernel " + kernel.raw(),
                    "has no three parts, of which templates could be made; leave its nodes out");
        }
        Map<String, String> variables = new LinkedHashMap<>();
        variables.put("KERNEL_FULL_VERSION", name);
        variables.put("KERNEL_VERSION", name);
        variables.put("KERNEL_XYZ", parts[0] + "." + parts[1] + "." + parts[2]);
        variables.put("KERNEL_X", parts[0]);
        variables.put("KERNEL_Y", parts[1]);
        variables.put("KERNEL_Z", parts[2]);
        return variables;
    }

    /** The variables of templates for files in an image: their directory is named by the kernel itself, as {@code uname -r} prints it. */
    static Map<String, String> fileVariables(KernelVersion kernel) {
        Map<String, String> variables = variables(kernel);
        variables.put("KERNEL_FULL_VERSION", kernel.raw());
        variables.put("KERNEL_VERSION", kernel.raw());
        return variables;
    }
}
