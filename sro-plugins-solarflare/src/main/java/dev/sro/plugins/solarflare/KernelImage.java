package dev.sro.plugins.solarflare;

import dev.sro.api.KernelVersion;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * An item of {@code onload.kernelMappings}: which image has the modules of which kernels. Immutable.
 *
 * @param literal exactly this kernel; empty for none
 * @param regexp a kernel in which this is found; empty for none
 * @param image template of the image
 * @param sfc whether the image's sfc driver replaces that of the kernel
 * @param build how the image is built if it is missing
 */
record KernelImage(
        Optional<String> literal, Optional<Pattern> regexp, String image, boolean sfc, Optional<Build> build) {

    /**
     * How an image is built.
     *
     * @param dockerfileConfigMap with the key {@code dockerfile}; SRO's own Dockerfile without it
     * @param sourceImage with the vendor's source, for SRO's own Dockerfile
     * @param arguments of the build
     * @param pushSecret with which the image is pushed
     */
    record Build(
            Optional<String> dockerfileConfigMap,
            Optional<String> sourceImage,
            Map<String, String> arguments,
            Optional<String> pushSecret) {}

    /** What Java knows and RE2 does not: a mapping has to mean the same as for Kernel Module Management. */
    private static final Pattern NOT_RE2 = Pattern.compile("\\(\\?(=|!|<|>)|\\\\[1-9]|\\\\k|[*+?}]\\+");

    private static final Pattern VARIABLE = Pattern.compile("\\$(?:\\{([A-Za-z_]+)}|([A-Z_]+))");

    private static final Pattern NOT_TAG = Pattern.compile("[^A-Za-z0-9._-]");

    /** @throws PatternSyntaxException if it is none */
    static Pattern pattern(String regexp) {
        Matcher matcher = NOT_RE2.matcher(regexp);
        if (matcher.find()) {
            throw new PatternSyntaxException(
                    "uses " + matcher.group() + ", which RE2 does not have", regexp, matcher.start());
        }
        return Pattern.compile(regexp);
    }

    /** Whether it is for this kernel: as the kernel says, without one {@code +} at its end. */
    boolean isFor(KernelVersion kernel) {
        String name = name(kernel);
        return literal.filter(name::equals).isPresent()
                || regexp.filter(pattern -> pattern.matcher(name).find()).isPresent();
    }

    /** Names in a template that mean nothing. */
    static List<String> unknown(String template) {
        Map<String, String> known = variables("0.0.0");
        return VARIABLE.matcher(template)
                .results()
                .map(found -> found.group(1) == null ? found.group(2) : found.group(1))
                .filter(name -> !known.containsKey(name))
                .toList();
    }

    /** The image for this kernel. */
    String reference(KernelVersion kernel) {
        Map<String, String> variables = variables(NOT_TAG.matcher(name(kernel)).replaceAll("_"));
        return VARIABLE.matcher(image)
                .replaceAll(found -> Matcher.quoteReplacement(
                        variables.getOrDefault(found.group(1) == null ? found.group(2) : found.group(1), "")));
    }

    private static String name(KernelVersion kernel) {
        String raw = kernel.raw();
        return raw.endsWith("+") ? raw.substring(0, raw.length() - 1) : raw;
    }

    private static Map<String, String> variables(String kernel) {
        String[] parts = kernel.split("[.,-]", -1);
        Map<String, String> variables = new LinkedHashMap<>();
        variables.put("KERNEL_FULL_VERSION", kernel);
        variables.put("KERNEL_VERSION", kernel);
        variables.put("KERNEL_X", parts[0]);
        variables.put("KERNEL_Y", parts.length > 1 ? parts[1] : "");
        variables.put("KERNEL_Z", parts.length > 2 ? parts[2] : "");
        variables.put("KERNEL_XYZ", String.join(".", List.of(parts).subList(0, Math.min(parts.length, 3))));
        return variables;
    }
}
