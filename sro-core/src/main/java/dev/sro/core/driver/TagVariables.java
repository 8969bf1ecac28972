package dev.sro.core.driver;

import dev.sro.api.OsRelease;
import dev.sro.api.Pool;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What templates of tags may name, for one pool and one driver. Stateless. */
final class TagVariables {

    private static final Pattern MAJOR = Pattern.compile("(\\d+).*");
    private static final Pattern MAJOR_MINOR = Pattern.compile("v?(\\d+\\.\\d+).*");

    private TagVariables() {}

    /**
     * The values; one that is not known is not in it.
     *
     * @param openShiftVersion empty elsewhere
     * @param version of the driver; may be empty
     * @param branch of the driver; may be empty
     */
    static Map<String, String> collect(
            TagCatalogue catalogue, Pool pool, String openShiftVersion, String version, String branch) {
        OsRelease os = pool.os();
        Map<String, String> values = new TreeMap<>();
        put(values, "driverVersion", version);
        put(values, "driverBranch", branch.isEmpty() ? first(MAJOR, version) : branch);
        put(values, "kernelFull", pool.kernel().normalized());
        KernelNames.variables(pool.kernel()).forEach((name, value) -> {
            if (name.equals("KERNEL_XYZ")) {
                put(values, "kernelXyz", value);
            }
        });
        put(values, "osId", os.id());
        put(values, "osVersion", os.version());
        put(values, "osMajor", os.major());
        put(values, "osRelease", os.version());
        put(values, "arch", pool.architecture());
        put(values, "ocpVersion", first(MAJOR_MINOR, openShiftVersion));
        // Of a plugin that has it in its key, and so a pool for each, or of CoreOsBuilds.
        put(values, "rhcos", pool.key().getOrDefault("rhcos", ""));
        Set<String> unknown = new TreeSet<>();
        String osTag = EnvSubst.expand("osTag", catalogue.osTag(os.id()), values, unknown);
        put(values, "osTag", unknown.isEmpty() ? osTag : "");
        return values;
    }

    private static void put(Map<String, String> values, String name, String value) {
        if (!value.isEmpty()) {
            values.put(name, value);
        }
    }

    private static String first(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        return matcher.matches() ? matcher.group(1) : "";
    }
}
