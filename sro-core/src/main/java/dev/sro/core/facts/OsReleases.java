package dev.sro.core.facts;

import dev.sro.api.OsRelease;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the operating system from what a node says of itself: the labels of Node Feature Discovery where they are, and
 * otherwise the kubelet's {@code osImage}. Stateless.
 */
public final class OsReleases {

    private static final String NFD = "feature.node.kubernetes.io/system-os_release.";

    /** RHEL CoreOS build numbers: OpenShift version, RHEL version, then a time stamp of 12 digits and a counter. */
    private static final Pattern RHCOS = Pattern.compile("(\\d)(\\d+)\\.(\\d)(\\d+)\\.(\\d{12})-\\d+");

    private static final Pattern VERSION = Pattern.compile("\\d+(\\.\\d+)*");

    /** How distributions begin their pretty name, which the kubelet reports. Longest first where one starts another. */
    private static final Map<String, String> PRETTY_NAMES = Map.ofEntries(
            Map.entry("Ubuntu", "ubuntu"),
            Map.entry("Debian", "debian"),
            Map.entry("Red Hat Enterprise Linux", "rhel"),
            Map.entry("CentOS", "centos"),
            Map.entry("Rocky", "rocky"),
            Map.entry("AlmaLinux", "almalinux"),
            Map.entry("Oracle Linux", "ol"),
            Map.entry("Fedora", "fedora"),
            Map.entry("SUSE Linux Enterprise", "sles"),
            Map.entry("openSUSE", "opensuse"),
            Map.entry("Flatcar", "flatcar"),
            Map.entry("Talos", "talos"),
            Map.entry("Amazon Linux", "amzn"),
            Map.entry("Garden Linux", "gardenlinux"),
            Map.entry("Bottlerocket", "bottlerocket"),
            Map.entry("Container-Optimized OS", "cos"));

    private OsReleases() {}

    /**
     * A RHEL CoreOS build, taken apart.
     *
     * @param openShift {@code 4.10}
     * @param rhel {@code 8.4}
     */
    record RhcosBuild(String openShift, String rhel) {}

    /** The build number in an {@code osImage} of RHEL CoreOS, or empty. */
    static Optional<RhcosBuild> rhcosBuild(String osImage) {
        Matcher matcher = RHCOS.matcher(osImage);
        if (!matcher.find()) {
            return Optional.empty();
        }
        return Optional.of(
                new RhcosBuild(matcher.group(1) + "." + matcher.group(2), matcher.group(3) + "." + matcher.group(4)));
    }

    /** The release of a node with this {@code osImage} and these labels. */
    public static OsRelease of(String osImage, Map<String, String> labels) {
        Optional<RhcosBuild> rhcos = rhcosBuild(osImage);
        String nfdId = labels.getOrDefault(NFD + "ID", "");
        if (!nfdId.isEmpty()) {
            // Drivers for RHEL CoreOS are built for the RHEL in it, not for the OpenShift release.
            String rhel = labels.getOrDefault(
                    NFD + "RHEL_VERSION", rhcos.map(RhcosBuild::rhel).orElse(""));
            String version = rhel.isEmpty() ? labels.getOrDefault(NFD + "VERSION_ID", "") : rhel;
            return new OsRelease(nfdId, version);
        }
        if (rhcos.isPresent()) {
            return new OsRelease("rhcos", rhcos.get().rhel());
        }
        String id = PRETTY_NAMES.entrySet().stream()
                .filter(name -> osImage.startsWith(name.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElseGet(() -> firstWord(osImage));
        return new OsRelease(id, version(osImage, id));
    }

    private static String version(String osImage, String id) {
        Matcher matcher = VERSION.matcher(osImage);
        if (!matcher.find()) {
            return "";
        }
        // Ubuntu and Debian print point releases that no driver is built for: 22.04.3 is 22.04.
        String[] parts = matcher.group().split("\\.", -1);
        return id.equals("ubuntu") && parts.length > 2 ? parts[0] + "." + parts[1] : matcher.group();
    }

    private static String firstWord(String osImage) {
        String word = osImage.strip().split("\\s+", 2)[0].toLowerCase(Locale.ROOT);
        return word.isEmpty() ? "unknown" : word.replaceAll("[^a-z0-9_.-]", "");
    }
}
